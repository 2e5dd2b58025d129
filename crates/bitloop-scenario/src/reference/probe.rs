//! The shape of a type, as serde knows it.
//!
//! A type says what it is when it is deserialized: a struct with these fields, a choice of these variants, a number. A
//! [`Probe`] is a deserializer that notes what is asked for and then fails; to see inside, it first hands out one field, one
//! variant or one element. So names and types of fields come from the types themselves, and cannot differ from them.

use std::cell::RefCell;
use std::fmt;

use crate::stop::FORMER_NAMES;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor, value::StrDeserializer,
};

/// What a value looks like in a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// `true` or `false`.
    Flag,
    /// A number without a decimal point.
    Whole,
    /// Any finite number.
    Number,
    /// A text in quotes.
    Text,
    /// A value of several forms, of which serde knows nothing.
    Several,
    /// `[a, b]`.
    List(Box<Shape>),
    /// `(a, b)`, so many of them.
    Tuple(usize, Box<Shape>),
    /// `{"name": value}`.
    Map(Box<Shape>),
    /// A value that may be left out.
    Optional(Box<Shape>),
    /// `(field: value)`.
    Record(Record),
    /// One of several names.
    Choice(Choice),
}

/// A struct.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub name: &'static str,
    pub fields: Vec<(&'static str, Shape)>,
}

/// An enum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub name: &'static str,
    pub variants: Vec<(&'static str, Payload)>,
}

/// What follows the name of a variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Payload {
    Nothing,
    Value(Box<Shape>),
    Tuple(usize, Box<Shape>),
    Fields(Vec<(&'static str, Shape)>),
}

/// The shape of `T` in a file.
pub(crate) fn shape_of<T: DeserializeOwned>() -> Shape {
    explore(&|probe| {
        let _ = T::deserialize(probe);
    })
}

/// What serde asks a deserializer for.
enum Request {
    Leaf(Shape),
    Optional,
    List,
    Tuple(usize),
    Map,
    Struct(&'static str, &'static [&'static str]),
    Enum(&'static str, &'static [&'static str]),
    Unit,
    Newtype,
}

fn request(run: &dyn Fn(Probe<'_>)) -> Request {
    let noted = RefCell::new(None);
    run(Probe::Note(&noted));
    noted.into_inner().expect("each type asks for something")
}

/// The shape of the part at `index` of what `run` deserializes.
fn part(run: &dyn Fn(Probe<'_>), index: usize) -> Shape {
    explore(&|probe| run(Probe::Part(index, Box::new(probe))))
}

fn explore(run: &dyn Fn(Probe<'_>)) -> Shape {
    let inner = |index| Box::new(part(run, index));
    match request(run) {
        Request::Leaf(shape) => shape,
        Request::Optional => Shape::Optional(inner(0)),
        Request::List => Shape::List(inner(0)),
        Request::Tuple(n) => Shape::Tuple(n, inner(0)),
        Request::Map => Shape::Map(inner(0)),
        Request::Struct(name, names) => Shape::Record(Record { name, fields: fields(run, names) }),
        Request::Enum(name, variants) => {
            let variants = variants.iter().enumerate().map(|(index, &variant)| {
                (variant, payload(&|probe| run(Probe::Part(index, Box::new(probe)))))
            });
            Shape::Choice(Choice { name, variants: variants.collect() })
        }
        // Asked for by variants alone.
        Request::Unit | Request::Newtype => Shape::Several,
    }
}

/// The fields, without the second names that files of earlier versions have.
fn fields(run: &dyn Fn(Probe<'_>), names: &[&'static str]) -> Vec<(&'static str, Shape)> {
    let current = names.iter().enumerate().filter(|(_, name)| !FORMER_NAMES.contains(name));
    current.map(|(index, &name)| (name, part(run, index))).collect()
}

fn payload(run: &dyn Fn(Probe<'_>)) -> Payload {
    match request(run) {
        Request::Newtype => Payload::Value(Box::new(part(run, 0))),
        Request::Tuple(n) => Payload::Tuple(n, Box::new(part(run, 0))),
        Request::Struct(_, names) => Payload::Fields(fields(run, names)),
        _ => Payload::Nothing,
    }
}

/// A deserializer, or the access to a variant, that always fails.
enum Probe<'a> {
    /// Notes what is asked for.
    Note(&'a RefCell<Option<Request>>),
    /// Hands another probe to the part at an index: a field, a variant, an element.
    Part(usize, Box<Probe<'a>>),
}

/// The end of each probe.
#[derive(Debug)]
struct Enough;

impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("enough is known")
    }
}

impl std::error::Error for Enough {}

impl de::Error for Enough {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

impl<'a> Probe<'a> {
    /// Notes a request, or hands out the probe of a part.
    fn answer(self, request: Request) -> Result<(usize, Probe<'a>), Enough> {
        match self {
            Self::Note(noted) => {
                noted.replace(Some(request));
                Err(Enough)
            }
            Self::Part(index, probe) => Ok((index, *probe)),
        }
    }

    fn leaf<V>(self, shape: Shape) -> Result<V, Enough> {
        self.answer(Request::Leaf(shape)).and(Err(Enough))
    }
}

/// The methods that ask for a value without parts.
macro_rules! leaves {
    ($($method:ident: $shape:ident),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Enough> {
            self.leaf(Shape::$shape)
        })*
    };
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Enough;

    leaves! {
        deserialize_any: Several, deserialize_ignored_any: Several, deserialize_identifier: Text,
        deserialize_bool: Flag, deserialize_char: Text, deserialize_str: Text, deserialize_string: Text,
        deserialize_i8: Whole, deserialize_i16: Whole, deserialize_i32: Whole, deserialize_i64: Whole,
        deserialize_u8: Whole, deserialize_u16: Whole, deserialize_u32: Whole, deserialize_u64: Whole,
        deserialize_f32: Number, deserialize_f64: Number,
        deserialize_bytes: Several, deserialize_byte_buf: Several, deserialize_unit: Several,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Enough> {
        let (_, probe) = self.answer(Request::Optional)?;
        visitor.visit_some(probe)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _visitor: V,
    ) -> Result<V::Value, Enough> {
        self.leaf(Shape::Several)
    }

    /// Raw text is asked for this way.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _visitor: V,
    ) -> Result<V::Value, Enough> {
        self.leaf(Shape::Several)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Enough> {
        let (_, probe) = self.answer(Request::List)?;
        visitor.visit_seq(One { key: "", value: Some(probe) })
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Enough> {
        let (_, probe) = self.answer(Request::Tuple(len))?;
        visitor.visit_seq(One { key: "", value: Some(probe) })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Enough> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Enough> {
        let (_, probe) = self.answer(Request::Map)?;
        visitor.visit_map(One { key: "name", value: Some(probe) })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Enough> {
        let (index, probe) = self.answer(Request::Struct(name, fields))?;
        visitor.visit_map(One { key: fields[index], value: Some(probe) })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Enough> {
        let (index, probe) = self.answer(Request::Enum(name, variants))?;
        visitor.visit_enum(One { key: variants[index], value: Some(probe) })
    }
}

impl<'de> VariantAccess<'de> for Probe<'_> {
    type Error = Enough;

    fn unit_variant(self) -> Result<(), Enough> {
        self.answer(Request::Unit).and(Err(Enough))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Enough> {
        let (_, probe) = self.answer(Request::Newtype)?;
        seed.deserialize(probe)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Enough> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Enough> {
        self.deserialize_struct("", fields, visitor)
    }
}

/// A single entry: a field, an element, a variant.
struct One<'a> {
    key: &'static str,
    value: Option<Probe<'a>>,
}

impl One<'_> {
    fn value<'de, T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Enough> {
        seed.deserialize(self.value.take().ok_or(Enough)?)
    }

    fn key<'de, T: DeserializeSeed<'de>>(&self, seed: T) -> Result<T::Value, Enough> {
        seed.deserialize(StrDeserializer::new(self.key))
    }
}

impl<'de> MapAccess<'de> for One<'_> {
    type Error = Enough;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Enough> {
        self.key(seed).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Enough> {
        self.value(seed)
    }
}

impl<'de> SeqAccess<'de> for One<'_> {
    type Error = Enough;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Enough> {
        self.value(seed).map(Some)
    }
}

impl<'de, 'a> EnumAccess<'de> for One<'a> {
    type Error = Enough;
    type Variant = Probe<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        mut self,
        seed: V,
    ) -> Result<(V::Value, Probe<'a>), Enough> {
        let name = self.key(seed)?;
        Ok((name, self.value.take().ok_or(Enough)?))
    }
}
