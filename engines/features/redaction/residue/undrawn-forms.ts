import { PDFDict, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import { EngineError } from '../../../errors'
import { decodeUpToLimit, findReachable, setPages } from '../../../pdf/document'
import type { PdfDocument } from '../../../pdf/document'
import { createPage } from '../../../pdf/page'
import { reopenDocument } from '../../../pdf/open'
import { ContentReader, TEXT_SHOWING_OPERATORS } from '../../../pdf/syntax'
import { ContentWalk } from '../../../pdf/walk-content'
import { openRenderer } from '../../../pdf/render'
import type { PdfiumRenderer } from '../../../pdf/render'
import * as Name from '../../../pdf/names'
import { makeReadable } from '../search/readable-copy'
import type { Rule } from '../search-rules/rule'

/** Maximum number of forms that are rendered in one copy of the document. */
const SHEETS = 1000

/** Returns the rules that match a text. */
type RulesIn = (text: string) => ReadonlySet<Rule>

/** A form XObject or pattern cell whose text matches rules. */
export interface UndrawnForm {
  ref: PDFRef
  rules: ReadonlySet<Rule>
}

/**
 * Returns form XObjects and pattern cells that contain text that rules match, and that no page draws with `Do`. Such
 * forms belong to unused appearances, to soft masks and to patterns, or nothing draws them.
 */
export async function findUndrawnForms(document: PdfDocument, rulesIn: RulesIn): Promise<UndrawnForm[]> {
  const candidates = findCandidates(document)
  if (candidates.length === 0) return []
  const found: UndrawnForm[] = []
  for (let from = 0; from < candidates.length; from += SHEETS)
    found.push(...(await readSheets(document, candidates.slice(from, from + SHEETS), rulesIn)))
  if (found.length === 0) return []
  const drawn = collectDrawn(document)
  return found.filter(({ ref }) => !drawn.has(ref))
}

/** Returns form XObjects and pattern cells whose content stream shows text. */
function findCandidates(document: PdfDocument): PDFRef[] {
  const reached = findReachable(document, [document.rootRef.objectNumber])
  const found: PDFRef[] = []
  for (const slot of reached.inOrder()) {
    if (!reached.isStream(slot)) continue
    const ref = reached.refOf(slot)
    const stream = document.peek(ref)
    if (stream instanceof PDFRawStream && isDrawing(document, stream.dict) && showsText(decodeUpToLimit(document, ref)))
      found.push(ref)
  }
  return found
}

function isDrawing(document: PdfDocument, dict: PDFDict): boolean {
  return document.peek(dict.get(Name.Subtype)) === Name.Form || dict.has(Name.PatternType)
}

function showsText(content: Uint8Array | undefined): boolean {
  if (!content) return false
  const reader = new ContentReader(content)
  while (reader.next()) if (TEXT_SHOWING_OPERATORS.has(reader.operator)) return true
  return false
}

/** Puts each form on a page of a copy, and extracts the text of these pages with PDFium. */
async function readSheets(
  document: PdfDocument,
  candidates: readonly PDFRef[],
  rulesIn: RulesIn,
): Promise<UndrawnForm[]> {
  const copy = reopenDocument(document)
  makeReadable(copy)
  const { context } = copy
  const resources = copy.pages[0]?.attribute(Name.Resources)
  const pages = candidates.map(ref => {
    const page = createPage(copy, { width: 1000, height: 1000 })
    const stream = copy.peek(ref)
    if (!(stream instanceof PDFRawStream)) return page
    const entries = new Map<PDFName, PDFObject>(
      stream.dict.entries().filter(([key]) => key !== Name.Matrix && key !== Name.PatternType),
    )
    entries.set(Name.Subtype, Name.Form)
    entries.set(Name.FormType, PDFNumber.of(1))
    // A form without resources uses the resources of the page that draws it.
    if (!entries.has(Name.Resources) && resources) entries.set(Name.Resources, resources)
    const form = copy.register(PDFRawStream.of(PDFDict.fromMapWithContext(entries, context), stream.contents))
    const dict = copy.edit(page.ref)
    dict.set(Name.Resources, context.obj({ XObject: { X: form } }))
    dict.set(Name.Contents, copy.register(PDFRawStream.of(context.obj({}), Buffer.from('/X Do'))))
    return page
  })
  setPages(copy, pages)
  copy.editCatalog().delete(Name.AcroForm)
  const found: UndrawnForm[] = []
  let renderer: PdfiumRenderer | undefined
  try {
    for (const [index, ref] of candidates.entries()) {
      if (renderer?.isBroken) renderer = undefined
      renderer ??= await openRenderer(copy)
      const rules = readSheet(renderer, index, rulesIn)
      if (rules.size > 0) found.push({ ref, rules })
    }
  } finally {
    renderer?.close()
  }
  return found
}

function readSheet(renderer: PdfiumRenderer, index: number, rulesIn: RulesIn): ReadonlySet<Rule> {
  try {
    return renderer.readCharacters(index, characters => rulesIn(characters.texts.join('')))
  } catch (error) {
    // A form that PDFium can't read shows no text. Its bytes are searched with all other streams.
    if (error instanceof EngineError && error.reason === 'damaged') return new Set()
    throw error
  }
}

/** Returns the form XObjects that pages draw with `Do`. Their text was searched with the text of the page. */
function collectDrawn(document: PdfDocument): Set<PDFRef> {
  const drawn = new Set<PDFRef>()
  const walk = new ContentWalk(document, {
    decode: decodeUpToLimit,
    needsState: false,
    enter({ kind, value }) {
      if (kind !== 'form') return undefined
      if (value instanceof PDFRef) drawn.add(value)
      return ''
    },
  })
  for (const page of document.pages) walk.readPage(page)
  return drawn
}
