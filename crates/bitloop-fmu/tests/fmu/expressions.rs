//! Expressions: values, precedence, and where mistakes are shown.

use bitloop_fmu::{ExpressionError, Kind, Program, compile, quoted_name};
use bitloop_plant::Real;

/// Names that are known, and their values.
const NAMES: [(&str, f64); 6] = [
    ("x", 3.0),
    ("body.w[1]", -2.0),
    ("der(x)", 0.5),
    ("my var", 7.0),
    ("max", 11.0),
    ("nan", f64::NAN),
];

fn compiled(text: &str, kind: Kind) -> Result<Program, ExpressionError> {
    compile(text, kind, &mut |name| {
        let at = NAMES.iter().position(|(known, _)| *known == name);
        at.ok_or_else(|| (format!("no `{name}`"), "a hint".to_owned()))
    })
}

#[track_caller]
fn value(text: &str) -> f64 {
    let program = compiled(text, Kind::Number).unwrap_or_else(|error| panic!("{error:?}"));
    program.value(&NAMES.map(|(_, value)| value), &mut Vec::new())
}

#[track_caller]
fn holds(text: &str) -> bool {
    let program = compiled(text, Kind::Truth).unwrap_or_else(|error| panic!("{error:?}"));
    program.value(&NAMES.map(|(_, value)| value), &mut Vec::new()) == 1.0
}

#[test]
fn operators_bind_as_in_algebra() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("10 - 4 - 3", 3.0),
        ("16/4/2", 2.0),
        ("-x^2", -9.0),
        ("(-x)^2", 9.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("- -x", 3.0),
        ("+x", 3.0),
        ("2 - -x", 5.0),
        ("1e-3*1000", 1.0),
        (".5*4.", 2.0),
        ("x^0.5", 3.0_f64.sqrt()),
        ("x^0", 1.0),
        ("pi", std::f64::consts::PI),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn functions_are_those_of_plants() {
    assert_eq!(value("sin(x)"), Real::sin(3.0));
    assert_eq!(value("cos(x)"), Real::cos(3.0));
    assert_eq!(value("tan(x)"), Real::tan(3.0));
    assert_eq!(value("exp(x)"), Real::exp(3.0));
    assert_eq!(value("ln(x)"), Real::ln(3.0));
    assert_eq!(value("log(x)"), Real::ln(3.0));
    assert_eq!(value("tanh(x)"), Real::tanh(3.0));
    assert_eq!(value("atan2(x, -1)"), Real::atan2(3.0, -1.0));
    assert_eq!(value("x^1.5"), Real::pow(3.0, 1.5));
    assert_eq!(value("sqrt(abs(-x*x))"), 3.0);
    assert_eq!(value("min(x, 2, 5)"), 2.0);
    assert_eq!(value("max(x, 2, 5) - max(1, 2)"), 3.0);
    assert_eq!(value("if(x > 2, 10, 20) + if(x > 4, 1, 2)"), 12.0);
}

#[test]
fn names_of_models_are_understood() {
    assert_eq!(value("body.w[1] * 2"), -4.0);
    assert_eq!(value("der(x) + 1"), 1.5);
    assert_eq!(value("'der(x)' + 'my var'"), 7.5);
    assert_eq!(value("'max' + max(1, 2)"), 13.0);
    for (name, _) in NAMES {
        assert!(value(&format!("0 + {}", quoted_name(name))).is_nan() == (name == "nan"), "{name}");
    }
}

#[test]
fn conditions_compare_and_combine() {
    assert!(holds("x > 2") && !holds("x > 3") && holds("x >= 3"));
    assert!(holds("x < 4") && !holds("x < 3") && holds("x <= 3"));
    assert!(holds("x == 3") && holds("x != 4") && !holds("x != 3"));
    assert!(holds("x > 2 and x < 4") && holds("x > 2 && x < 4"));
    assert!(holds("x > 9 or x > 2") && holds("x > 9 || x > 2"));
    assert!(holds("not x > 9") && holds("!(x > 9)"));
    // `and` binds more strongly than `or`.
    assert!(holds("x == 3 or x == 3 and x == 4"));
    assert!(holds("(1 - x) > -3 - 1"));
    // Nothing holds of what is no number, so that a failure is not made of it.
    assert!(!holds("nan > 0") && !holds("nan < 0") && !holds("nan == nan"));
}

#[test]
fn no_function_hides_what_is_no_number() {
    for text in ["min(nan, 1)", "min(1, nan)", "max(nan, 1)", "max(1, nan)", "abs(nan)", "nan^2"] {
        assert!(value(text).is_nan(), "{text}");
    }
}

#[test]
fn a_mistake_is_shown_where_it_is() {
    for (text, marked, message) in [
        ("x + y", "y", "no `y`"),
        ("x +", "", "a value is missing here"),
        ("", "", "a value is missing here"),
        ("(x + 1", "(", "a closing bracket is missing before the end"),
        ("(x, 1)", ",", "a closing bracket is missing before this"),
        ("x 1", "1", "the expression ends before this"),
        ("x = 1", "=", "the expression ends before this"),
        ("x + $", "$", "`$` has no meaning here"),
        ("'x", "'x", "the name that begins here has no end"),
        ("sinus(x)", "sinus", "there is no function `sinus`"),
        ("sin(x, 1)", "sin(x, 1)", "`sin` takes 1 arguments, and not 2"),
        ("min(x)", "min(x)", "`min` takes 2 or more arguments, and not 1"),
        ("if(x, 1, 2)", "x", "this is a number, and not true or false"),
        ("1 + (x > 2)", "(x > 2)", "this is true or false, and no number"),
        ("x > 2", "x > 2", "this is true or false, and no number"),
        ("x / 0", "/ 0", "division by zero"),
        ("x / (0)", "/ (0)", "division by zero"),
        ("x / -0.0", "/ -0.0", "division by zero"),
        ("1e999", "1e999", "this is no finite number"),
    ] {
        let error = compiled(text, Kind::Number).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error:?}");
        assert_eq!(&text[error.span.clone()], marked, "{text}: {error:?}");
        assert!(!error.hint.is_empty());
    }
    let error = compiled("1 < x < 4", Kind::Truth).unwrap_err();
    assert_eq!(error.message, "this is true or false, and no number");
}

#[test]
fn nesting_and_length_have_limits() {
    let deep = format!("{}x{}", "(".repeat(5000), ")".repeat(5000));
    assert!(compiled(&deep, Kind::Number).unwrap_err().message.contains("nests deeper"));
    let signs = format!("{}x", "-".repeat(5000));
    assert!(compiled(&signs, Kind::Number).unwrap_err().message.contains("nests deeper"));
    let long = format!("x{}", " + x".repeat(10_000));
    assert!(compiled(&long, Kind::Number).unwrap_err().message.contains("longer than"));
    // A long sum within the limit is none that nests.
    assert_eq!(value(&format!("x{}", " + x".repeat(999))), 3000.0);
}
