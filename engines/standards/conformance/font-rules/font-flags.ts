import { entryOf } from '../examination/model'
import type { UsedFont } from './used-font'

/** Flag 3 of the font descriptor (ISO 32000-2, table 121). */
const SYMBOLIC = 4

/** Whether the font descriptor says that the font is symbolic. */
export function isSymbolic({ document, descriptor }: UsedFont): boolean {
  return ((document.peekNumber(entryOf(document, descriptor, 'Flags')) ?? 0) & SYMBOLIC) !== 0
}
