//! How a controller is trained: which search, each with its settings in a module of its own.

use serde::{Deserialize, Serialize};

use crate::{
    cma_es::CmaEs,
    preset::Preset,
    random_search::RandomSearch,
    telescopic_blm::{TelescopicBlm, TelescopicBlmInFile},
};

/// The search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Training {
    /// Telescopic binary learning machine: local search over the bits of the weights.
    TelescopicBlm(TelescopicBlm),
    /// Covariance matrix adaptation evolution strategy over real weights, as a baseline.
    CmaEs(CmaEs),
    /// Independent random weights, as a baseline.
    RandomSearch(RandomSearch),
}

impl Training {
    /// The trainer's name in files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::TelescopicBlm(_) => "TelescopicBlm",
            Self::CmaEs(_) => "CmaEs",
            Self::RandomSearch(_) => "RandomSearch",
        }
    }
}

/// The search as the file gives it.
#[derive(Deserialize)]
#[serde(rename = "Training")]
pub(crate) enum TrainingInFile {
    TelescopicBlm(TelescopicBlmInFile),
    CmaEs(CmaEs),
    RandomSearch(RandomSearch),
}

impl TrainingInFile {
    /// The preset, of the one search that has presets.
    pub fn preset(&self) -> Option<Preset> {
        match self {
            Self::TelescopicBlm(blm) => Some(blm.preset()),
            Self::CmaEs(_) | Self::RandomSearch(_) => None,
        }
    }

    /// Whether training episodes are drawn anew after a miss, where the file does not say.
    pub fn draws_after_miss(&self) -> bool {
        match self {
            Self::TelescopicBlm(blm) => blm.validates_by_preset_at_target(),
            Self::CmaEs(_) => true,
            Self::RandomSearch(_) => false,
        }
    }
}

impl From<TrainingInFile> for Training {
    fn from(file: TrainingInFile) -> Self {
        match file {
            TrainingInFile::TelescopicBlm(blm) => Self::TelescopicBlm(blm.into()),
            TrainingInFile::CmaEs(cma_es) => Self::CmaEs(cma_es),
            TrainingInFile::RandomSearch(random) => Self::RandomSearch(random),
        }
    }
}
