import { PDFRawStream } from 'pdf-lib'
import { writeSrgbProfile } from '../../standards/archival/profiles/icc-profile'
import { decodeUpToLimit, deflate, findReachable } from '../../pdf/document'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { withData } from './recompress-streams'
import { isSrgbProfile } from './recoding/srgb-profile'

/** Points of the curve. Lines between them differ from the curve of sRGB by less than an eighth of a level of 8 bits. */
const CURVE_POINTS = 64

/** Size from which a profile isn't a simple profile of sRGB, in bytes. */
const MOST_BYTES = 100_000

/** Replaces ICC profiles of sRGB by a smaller profile with the same colors. */
export function compactProfiles(document: PdfDocument): void {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  let compact: Uint8Array | undefined
  for (const slot of reached.inOrder()) {
    if (!reached.isStream(slot)) continue
    const ref = reached.refOf(slot)
    const stream = document.peek(ref)
    if (!(stream instanceof PDFRawStream) || stream.contents.length > MOST_BYTES) continue
    // Only streams of profiles have /Name.N and no type (ISO 32000-2, table 65).
    if (document.peekNumber(stream.dict.get(Name.N)) !== 3 || stream.dict.has(Name.Type)) continue
    const profile = decodeUpToLimit(document, stream)
    if (!profile || !isSrgbProfile(profile)) continue
    compact ??= deflate(writeSrgbProfile(CURVE_POINTS))
    if (compact.length >= stream.contents.length) continue
    document.store.set(ref, withData(document, stream.dict, compact, Name.FlateDecode))
  }
}
