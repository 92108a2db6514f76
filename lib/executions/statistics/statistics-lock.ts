/** Held by whoever folds or corrects rollups. */
export const statisticsLock = 72_707_371n;
