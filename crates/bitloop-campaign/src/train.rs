//! [`Campaign::train`]: the trainings that are missing, on as many threads as there are.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use bitloop_folder::{FolderError, write_file};
use bitloop_plant::Isa;
use bitloop_train::Product;

use crate::campaign::{Campaign, CampaignVariant};
use crate::cost_file;
use crate::error::CampaignError;
use crate::finished::{FinishedTrainings, TrainingFinished};
use crate::queue::Queue;
use crate::records;
use crate::search_checkpoint;
use crate::training_record::TrainingRecord;

/// The longest that an interrupt goes unnoticed.
const LOOK_PERIOD: Duration = Duration::from_millis(50);

impl Campaign {
    /// Does the trainings that are missing in `finished`, saves them, and shows each to `observer`. Returns whether all are
    /// done; if not, it was interrupted, and the trainings that had begun have a checkpoint.
    ///
    /// Trainings are taken in order of their number, variant by variant, by as many workers as there are threads. Each has one
    /// thread, but the last ones share those that are free.
    ///
    /// # Errors
    /// The first training that fails, or cannot be saved; what was finished until then is kept.
    pub fn train(
        &self,
        finished: &mut FinishedTrainings,
        isa: Isa,
        n_threads: NonZeroUsize,
        interrupt: &AtomicBool,
        observer: &mut dyn FnMut(&TrainingFinished<'_>),
    ) -> Result<bool, CampaignError> {
        let missing = finished.missing();
        let n_trainings = finished.n_trainings();
        let mut n_finished = n_trainings - missing.len();
        let stop = AtomicBool::new(interrupt.load(Ordering::Relaxed));
        let n_workers = n_threads.get().min(missing.len());
        let queue = Queue::new(missing, n_threads);
        let (sender, receiver) = mpsc::channel();
        let mut failure = None;
        std::thread::scope(|scope| {
            for _ in 0..n_workers {
                let (sender, queue, stop) = (sender.clone(), &queue, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed)
                        && let Some((place, share)) = queue.take()
                    {
                        let result = self.execute(place, (isa, share), stop);
                        queue.give_back(share);
                        if sender.send((place, result)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                let result = match receiver.recv_timeout(LOOK_PERIOD) {
                    Ok((place, Ok(Some((record, product))))) => {
                        let variant = &self.variants()[place.0];
                        self.save(variant, &record, &product).map(|()| {
                            n_finished += 1;
                            let record = finished.insert(place, record);
                            observer(&TrainingFinished {
                                variant,
                                record,
                                n_finished,
                                n_trainings,
                            });
                        })
                    }
                    Ok((_, Ok(None))) | Err(RecvTimeoutError::Timeout) => Ok(()),
                    Ok((_, Err(error))) => Err(error),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Err(error) = result {
                    failure.get_or_insert(error);
                }
                if failure.is_some() || interrupt.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        failure.map_or(Ok(n_finished == n_trainings), Err)
    }

    /// Writes a training's product and its cost, and then its record, which says that the training is done.
    fn save(
        &self,
        variant: &CampaignVariant,
        record: &TrainingRecord,
        product: &Product,
    ) -> Result<(), CampaignError> {
        if variant.folder == self.options().folder {
            let folder = &variant.folder;
            fs::create_dir_all(folder).map_err(|error| FolderError::write(folder, error))?;
        } else {
            records::make_folder(&variant.folder)?;
        }
        write_file(&variant.product_path(record.number), product.text.as_bytes())?;
        if let Some(cost) = record.cost {
            cost_file::append(&variant.folder, record.number, cost)?;
        }
        records::write(&variant.folder, record)?;
        search_checkpoint::remove::<TrainingRecord>(&variant.folder, record.number);
        Ok(())
    }
}
