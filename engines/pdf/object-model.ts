export { KnownObjects } from './object-model/known-objects'
export type { DroppedEntries } from './object-model/known-objects'
export { isNameOfModel } from './object-model/object-types'
