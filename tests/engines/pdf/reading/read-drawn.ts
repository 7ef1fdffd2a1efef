import { openDocument } from '../../../../engines/pdf/open'
import type { PdfDocument } from '../../../../engines/pdf/document'
import { PageReader, joinWords } from '../../../../engines/pdf/read-page'
import type { PageContents } from '../../../../engines/pdf/read-page'
import { makeTrap } from '../../../fixtures/traps'
import type { Parts } from '../../../fixtures/traps'
import { LIMITS } from '../../../support/run-on'

/** Opens a page of 300 by 300 with this content. The font /F is Courier, whose glyphs are 0.6 em wide. */
function openDrawn(content: string, parts: Omit<Parts, 'content'> = {}): PdfDocument {
  return openDocument(new Uint8Array(makeTrap({ ...parts, content: `q ${content} Q` }).file), LIMITS)
}

/** Reads content that is drawn on a page. Leaves out the word BESIDE, which is drawn after it. */
export function readDrawn(content: string, parts: Omit<Parts, 'content'> = {}): PageContents {
  const document = openDrawn(content, parts)
  const contents = new PageReader(document).read(document.pages[0] as (typeof document.pages)[0])
  const { table, indexes } = contents.list
  const list = { table, indexes: indexes.slice(0, -'BESIDE'.length) }
  return { ...contents, list, glyphs: contents.glyphs.slice(0, -'BESIDE'.length) }
}

/** The words that content shows, in the order of the content. */
export function readWords(content: string, parts: Omit<Parts, 'content'> = {}): string[] {
  return joinWords(readDrawn(content, parts).list).map(({ text }) => text)
}
