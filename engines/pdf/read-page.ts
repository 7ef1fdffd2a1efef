export type { Baseline, Glyph, TextStyle } from './reading/glyph'
export type { PathShape } from './reading/painted-paths'
export { PageReader } from './reading/read-page'
export type { PageContents } from './reading/read-page'
