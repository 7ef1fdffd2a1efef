import { decodeUpToLimit } from '../document/decode-content'
import type { PdfDocument } from '../document/document'
import { openCff } from './programs/cff/cff'
import type { CffProgram } from './programs/cff/cff'
import { openTrueType } from './programs/true-type/true-type'
import type { TrueTypeProgram } from './programs/true-type/true-type'
import { openType1 } from './programs/type1/type1'
import type { Type1Program } from './programs/type1/type1'
import type { Program } from './subsets/font-spaces'

/** An embedded font program that was opened. */
export type OpenedProgram =
  | { format: 'true-type'; program: TrueTypeProgram }
  | { format: 'cff'; program: CffProgram }
  | { format: 'type1'; program: Type1Program }

/** Opens an embedded font program. Returns undefined if it can't be read safely. */
export function openProgram(document: PdfDocument, { key, stream }: Program): OpenedProgram | undefined {
  const bytes = decodeUpToLimit(document, stream)
  if (!bytes) return undefined
  if (key === 'FontFile') {
    const type1 = openType1(bytes)
    if (type1) return { format: 'type1', program: type1 }
  }
  // Some files store programs under the wrong key, and readers detect the format from the bytes.
  const trueType = openTrueType(bytes)
  if (trueType) return { format: 'true-type', program: trueType }
  const cff = openCff(bytes)
  return cff && { format: 'cff', program: cff }
}
