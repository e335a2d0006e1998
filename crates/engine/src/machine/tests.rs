use std::path::PathBuf;

use super::*;

const GIB: u64 = 1 << 30;
const MEMINFO: &str = "MemTotal:       16777216 kB\nMemAvailable:    8388608 kB\n";

/// A machine of which 8 GB are available, made of files that are removed when it is dropped.
struct Made(PathBuf);

impl Made {
    fn new(name: &str, own: &str, files: &[(&str, &str)]) -> Self {
        let root = std::env::temp_dir().join(format!("iodyno-{}-{name}", std::process::id()));
        let made = Self(root);
        made.write("proc/meminfo", MEMINFO);
        made.write("proc/self/cgroup", own);
        for (path, text) in files {
            made.write(&format!("groups/{path}"), text);
        }
        made
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    fn available(&self) -> Option<u64> {
        available_below(&self.0.join("proc"), &self.0.join("groups"))
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn without_a_limit_it_is_what_the_machine_has() {
    let made = Made::new(
        "free",
        "0::/user/own\n",
        &[("user/own/memory.max", "max\n"), ("user/memory.max", "max\n")],
    );
    assert_eq!(made.available(), Some(8 * GIB));
    assert_eq!(Made::new("bare", "", &[]).available(), Some(8 * GIB));
    let more = Made::new(
        "more",
        "0::/own\n",
        &[("own/memory.max", "34359738368\n"), ("own/memory.current", "0\n")],
    );
    assert_eq!(more.available(), Some(8 * GIB));
}

#[test]
fn of_a_limit_what_is_used_is_taken_and_files_can_be_dropped() {
    let stat = "anon 1073741824\nactive_file 134217728\ninactive_file 402653184\n";
    let made = Made::new(
        "two",
        "0::/own\n",
        &[
            ("own/memory.max", "4294967296\n"),
            ("own/memory.current", "1610612736\n"),
            ("own/memory.stat", stat),
        ],
    );
    assert_eq!(made.available(), Some(3 * GIB)); // 4 GB less 1.5 GB, of which 0.5 GB are files
}

#[test]
fn the_least_of_all_that_a_group_is_in_counts() {
    let made = Made::new(
        "above",
        "0::/pod/own\n",
        &[
            ("pod/own/memory.max", "4294967296\n"),
            ("pod/own/memory.current", "0\n"),
            ("pod/memory.max", "2147483648\n"),
            ("pod/memory.current", "1073741824\n"),
        ],
    );
    assert_eq!(made.available(), Some(GIB));
}

#[test]
fn version_1_and_a_path_that_is_that_outside_of_the_container() {
    let made = Made::new(
        "one",
        "5:cpu,cpuacct:/docker/ab\n4:memory:/docker/ab\n0::/docker/ab\n",
        &[
            ("memory/memory.limit_in_bytes", "2147483648\n"),
            ("memory/memory.usage_in_bytes", "1073741824\n"),
            (
                "memory/memory.stat",
                "inactive_file 7\ntotal_inactive_file 1073741824\n",
            ),
            ("cpu,cpuacct/memory.limit_in_bytes", "5\n"),
        ],
    );
    assert_eq!(made.available(), Some(2 * GIB));
    let unlimited = Made::new(
        "no-limit",
        "4:memory:/\n",
        &[("memory/memory.limit_in_bytes", "9223372036854771712\n")],
    );
    assert_eq!(unlimited.available(), Some(8 * GIB));
}
