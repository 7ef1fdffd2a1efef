export { dropForms, dropMetadata, hasForm, interleave, nestOutline } from './merge/arrange-merged'
export { appendDocuments } from './merge/merge'
export type { Share } from './merge/merge'
export { bakeRotations } from './pages/bake-rotation'
export { insertBlankPages } from './pages/blank-pages'
export type { InsertPosition } from './pages/blank-pages'
export { selectPages } from './pages/select-pages'
export { fitPages } from './pages/fit-pages'
export { createDocument, createPage, writeSimpleFile } from './pages/new-document'
export { splitAtBlanks } from './pages/split-at-blanks'
export {
  PartSequence,
  openPart,
  prepareToSplit,
  splitAtBookmarks,
  splitBySize,
  splitEvery,
  splitIntoParts,
} from './pages/split-document'
export type { Cut } from './pages/split-document'
export { addPageForm, addSourcePages, addStampForm } from './pages/stamp-page'
export { transformPages } from './pages/transform-page'
export type { Placement } from './pages/transform-page'
