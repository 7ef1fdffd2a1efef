import { ACTIONS } from './groups/actions'
import { BROKEN_WORDS } from './groups/broken-words'
import { DOCUMENT_OBJECTS } from './groups/document-objects'
import { DRAWN_LETTERS } from './groups/drawn-letters'
import { EMBEDDED_FONTS } from './groups/embedded-fonts'
import { FILE_STRUCTURE } from './groups/file-structure'
import { IMAGES } from './groups/images'
import { MATCHING } from './groups/matching'
import { METADATA } from './groups/metadata'
import { NAMES } from './groups/names'
import { NEIGHBORS } from './groups/neighbors'
import { OTHER_WRITING } from './groups/other-writing'
import { PAGE_CONTENT } from './groups/page-content'
import { PAGE_COPIES } from './groups/page-copies'
import { PRESETS } from './groups/presets'
import { RECOGNITION } from './groups/recognition'
import { HIDDEN_TEXT, HIDDEN_TEXT_BY_EXPRESSION, PAGE_TEXT } from './groups/searched-text'
import { SHADINGS } from './groups/shadings'
import { SIGNATURES } from './groups/signatures'
import { STREAM_DATA } from './streams/stream-data'
import { UNMAPPED_TEXT } from './groups/unmapped-text'
import type { TrapGroup } from './trap'

/** Traps in page content. */
export const CONTENT_GROUPS: readonly TrapGroup[] = [
  PAGE_CONTENT,
  PAGE_TEXT,
  EMBEDDED_FONTS,
  UNMAPPED_TEXT,
  RECOGNITION,
  SHADINGS,
  IMAGES,
  NEIGHBORS,
]

/** Traps in spellings of words and in other parts of a document. */
export const DOCUMENT_GROUPS: readonly TrapGroup[] = [
  MATCHING,
  DRAWN_LETTERS,
  BROKEN_WORDS,
  OTHER_WRITING,
  PRESETS,
  HIDDEN_TEXT,
  HIDDEN_TEXT_BY_EXPRESSION,
  SIGNATURES,
  NAMES,
  METADATA,
  ACTIONS,
  DOCUMENT_OBJECTS,
  PAGE_COPIES,
  FILE_STRUCTURE,
  STREAM_DATA,
]

/** Every group of redaction traps, in the order in which the documentation lists them. */
export const TRAP_GROUPS: readonly TrapGroup[] = [...CONTENT_GROUPS, ...DOCUMENT_GROUPS]
