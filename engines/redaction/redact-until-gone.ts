import { EngineError } from '../errors'
import type { PdfDocument } from '../pdf-core/document'
import { joinPages } from './areas'
import type { PageAreas } from './areas'
import type { PictureSearch } from './recognise'
import { redact } from './redact'
import type { Redaction } from './redact'
import { repeatTexts } from './repeat-texts'

/** How often what is read only once its surroundings are gone is redacted too. */
const MOST_ROUNDS = 3

/**
 * Redacts, and reads lines of pictures again in which words went, until no rule matches there. Gives all areas, and the
 * positions, from 0, of the pages that became pictures. Throws as `redact` does, and EngineError `unreadable` when words can
 * be read in the end.
 */
export async function redactUntilGone(document: PdfDocument, asked: readonly PageAreas[], { how, pictures }: { how: Redaction; pictures: PictureSearch | undefined }): Promise<{ pages: readonly PageAreas[]; pictured: ReadonlySet<number> }> {
  if (how.look.repeatText) await repeatTexts(asked, how.look)
  const pictured = await redact(document, asked, how)
  let pages = asked
  for (let round = 0; pictures; round++) {
    const left = await pictures.findLeft(document, pages)
    if (left.length === 0) break
    if (round === MOST_ROUNDS) throw new EngineError('unreadable', `Page ${(left[0]?.index ?? 0) + 1} could not be redacted: what a rule of "search" matches can be read in a picture even then.`)
    if (how.look.repeatText) await repeatTexts(left, how.look)
    for (const index of await redact(document, left, how)) pictured.add(index)
    pages = joinPages(document, [...pages, ...left], false)
  }
  return { pages, pictured }
}
