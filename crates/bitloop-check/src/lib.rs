//! Checks a plant against its contract: some forty named questions, each answered by pass, fail or skip, with a reason.
//!
//! This crate owns the checks, and how they are run: one after the other in a worker process, since a plant that breaks its
//! contract may crash its process. A crash or a hang then fails that check, another worker is started, and the next check
//! is made there. It knows plants and their host; it must not know scenarios, controllers, or who reads its report.
//!
//! The host's side is [`check`], the worker's is [`serve`]; between them go the name of a check and a [`Finding`]. Each check
//! is a function of the plant and of a random stream of its own, which comes from the seed and the check's name: the same
//! seed asks the same question again, whatever other checks run.
//!
//! # The checks
//!
//! | name | what it asks |
//! |---|---|
//! | `opens` | the library opens, and version, sizes and description are what the host wants |
//! | `description` | the name is lower-case words, texts are there, the control period is whole steps |
//! | `names-unique` | no two names alike but for case, no control called like a state |
//! | `units` | units are there, and the same for a state and the observation of it |
//! | `answers` | each function answers, with each integrator |
//! | `float-mode` | neither loading nor calling changes how the processor rounds |
//! | `end-step` | an episode ends within the call, and at the same step of a call that is cut there |
//! | `locale` | neither loading nor calling changes the locale |
//! | `working-directory` | nor the working directory |
//! | `umask` | nor the rights of new files |
//! | `signal-handlers` | nor how Ctrl-C and other signals are answered |
//! | `environment` | nor the environment |
//! | `standard-output` | neither loading nor calling prints on standard output |
//! | `descriptors` | open files stay open, and calls leave none open behind them |
//! | `buffers` | nothing is written behind a buffer, or to one that is only read |
//! | `defaults` | defaults and centers lie within bounds, and the default state is no failure |
//! | `reset-repeats` | the same episodes from a reset give the same bits |
//! | `history` | so they do after others, in the buffers that those left |
//! | `threads` | so they do on other threads, and on several at once |
//! | `interleaved` | so they do while another thread runs the same code between their instructions |
//! | `other-process` | so they do in another process, started more than a second later |
//! | `save-restore` | state and sum of costs, copied to fresh buffers, continue as if nothing had happened; or a state that the plant owns, in another slot |
//! | `steps-split` | ten steps are twice five |
//! | `batch-is-scalar` | an episode in a batch gives the bits that it gives alone |
//! | `batch-sizes` | so it does in batches of 4 to 2048 lanes |
//! | `lane-order` | the order of the lanes does not matter |
//! | `lane-leaks` | NaN, infinities and huge numbers move no bit beside them |
//! | `unused-lanes` | lanes that a call is not about are left alone |
//! | `instruction-sets` | every instruction set of this machine gives the same bits |
//! | `finite-values` | legal states and controls give finite numbers |
//! | `parameter-corners` | so do parameters at their bounds |
//! | `nan-in-nan-out` | a NaN is not taken for a number |
//! | `extreme-values` | NaN, infinities, huge and tiny numbers anywhere crash nothing |
//! | `bounds` | states and observations stay within their bounds |
//! | `costs-not-negative` | stage, terminal and failure costs are 0 or more |
//! | `cost-when-asked` | costs are added where they count alone |
//! | `failure-cost` | it is a function of the parameters alone |
//! | `failure-absorbs` | an episode that ended keeps its state, and is charged nothing more |
//! | `convergence-order` | errors fall with the step as each integrator promises |
//! | `integrators-agree` | with short steps, all integrators come to the same states |
//! | `structure` | the plant opens and repeats itself with other structural parameters |
//! | `picture` | something of the picture is in view, and something moves |
//! | `memory` | 100000 short episodes need no more memory than 10000 |
//! | `lane-speed-up` | nothing: it measures what lanes and vector instructions gain |
//!
//! `opens` and `answers` are essential: a plant that fails one is asked no more.
//!
//! A pass means that nothing was found, and no more: random episodes see what they meet.

#![forbid(unsafe_code)]

mod checks;
mod episodes;
mod finding;
mod numbers;
mod run;
mod subject;
mod worker;

pub use checks::names;
pub use finding::{Finding, Outcome};
pub use run::{CheckError, CheckOptions, CheckReport, CheckResult, check};
pub use subject::{OpenError, Restructure, Subject};
pub use worker::serve;
