//! The folders of a campaign's variants, named by the fields that vary and their values.

use std::collections::BTreeMap;

/// The longest name that is taken as it is, in bytes; file systems take 255.
const LONGEST_BYTES: usize = 200;

/// Hexadecimal digits of the digest that makes long or equal names differ.
const N_DIGITS: usize = 12;

/// A name for the folder of each variant, different from all others, even where upper and lower case are the same.
///
/// A name that is too long is cut, and one that another variant has too is kept, each with a digest of the variant's own name
/// behind it. So a folder's name depends on what varies, and not on the order of the variants.
pub(crate) fn folder_names(variants: &[&str]) -> Vec<String> {
    let plain: Vec<String> = variants.iter().map(|name| plain_name(name)).collect();
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for name in &plain {
        *uses.entry(name.to_lowercase()).or_default() += 1;
    }
    let is_free = |name: &String| name.len() <= LONGEST_BYTES && uses[&name.to_lowercase()] == 1;
    let named = variants.iter().zip(&plain).map(|(variant, name)| {
        if is_free(name) { name.clone() } else { with_digest(name, variant) }
    });
    named.collect()
}

/// A variant's name without what may confuse a shell or a file system, which becomes an underscore.
fn plain_name(variant: &str) -> String {
    let mut name = String::new();
    for c in variant.chars() {
        if c.is_alphanumeric() || "=.-+".contains(c) {
            name.push(c);
        } else if !name.ends_with(['_', '=']) {
            name.push('_');
        }
    }
    name.trim_end_matches('_').to_owned()
}

fn with_digest(name: &str, variant: &str) -> String {
    let mut end = name.len().min(LONGEST_BYTES - N_DIGITS - 1);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let digest = blake3::hash(variant.as_bytes()).to_hex();
    format!("{}-{}", &name[..end], &digest[..N_DIGITS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_folders() {
        for (name, folder) in [
            ("controller.hidden=[5] training.bits=8", "controller.hidden=5_training.bits=8"),
            ("a=[5,5]", "a=5_5"),
            ("a=T(x: -1e-3)", "a=T_x_-1e-3"),
            ("a=\"../..\"", "a=.._.."),
        ] {
            assert_eq!(folder_names(&[name]), [folder]);
        }
    }

    #[test]
    fn alike_names_are_told_apart_by_what_varies_and_not_by_their_order() {
        let names = ["a=[5]", "a=(5)", "a=B", "a=b", "a=[5,5]"];
        let folders = folder_names(&names);
        assert!(folders[0].starts_with("a=5-") && folders[1].starts_with("a=5-"), "{folders:?}");
        assert!(folders[2].starts_with("a=B-") && folders[3].starts_with("a=b-"), "{folders:?}");
        assert_eq!(folders[4], "a=5_5");
        assert!(folders.iter().enumerate().all(|(i, name)| !folders[..i].contains(name)));
        let reversed: Vec<&str> = names.iter().rev().copied().collect();
        let mut turned = folder_names(&reversed);
        turned.reverse();
        assert_eq!(turned, folders);
    }

    #[test]
    fn long_names_say_as_much_as_fits_and_differ_in_the_rest() {
        let moderate = format!("training=TelescopicBlm(bits: 8) initial.x={}", "5".repeat(140));
        assert_eq!(folder_names(&[&moderate])[0].len(), moderate.len() - 2);
        for letter in ["a", "\u{20ac}", "\u{130}"] {
            let long = |end: &str| format!("plant={}{end}", letter.repeat(300));
            let (first, second) = (long("1"), long("2"));
            let folders = folder_names(&[&first, &second]);
            assert_ne!(folders[0], folders[1]);
            for folder in &folders {
                assert!(folder.len() <= LONGEST_BYTES && folder.starts_with("plant="), "{folder}");
            }
        }
    }
}
