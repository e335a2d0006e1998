"""What readings show, in words: rules with thresholds, a file for each kind of finding."""
