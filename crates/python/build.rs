//! Records what the engine was built from and how, for every run to carry.

use std::process::Command;

fn main() {
    let setting = |name: &str| std::env::var(name).unwrap_or_default();
    println!("cargo::rustc-env=IODYNO_BUILD_PROFILE={}", setting("PROFILE"));
    println!("cargo::rustc-env=IODYNO_OPT_LEVEL={}", setting("OPT_LEVEL"));
    println!(
        "cargo::rustc-env=IODYNO_COMMIT={}",
        commit().unwrap_or_else(|| "unknown".to_owned())
    );
    println!("cargo::rerun-if-changed=../../.git/HEAD");
    println!("cargo::rerun-if-changed=../../.git/index");
    println!("cargo::rerun-if-changed=..");
}

/// The commit of the checkout, with `+` where the crates differ from it.
fn commit() -> Option<String> {
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--", "..", "../../Cargo.lock"])?;
    Some(if changed.is_empty() { commit } else { commit + "+" })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
