import type { EngineLimits } from '../../types'
import { PdfDocument } from '../document/document'
import { repairContents, REPAIRS } from '../content/repair-contents'
import { PAGES_IN_FILE, readPageTree } from '../document/page-tree'
import { collectFileFacts, collectPageFacts } from './collect-facts'
import { rebuildPages } from './repeated-pages'
import { InputFile } from '../files/input-file'
import type { WrittenFile } from '../writer/written-file'
import * as Name from '../syntax/names'

/**
 * Opens a PDF and repairs it if possible (warning `repaired`). Throws EngineError `damaged`, `encrypted` (even if
 * there is only an owner password) or `too_large`.
 */
export function openDocument(bytes: Uint8Array, limits: EngineLimits): PdfDocument {
  return openSource(new InputFile(bytes, limits), limits)
}

/** Opens a file that was just written, without joining its chunks. Throws like `openDocument`. */
export function openWritten(file: WrittenFile, limits: EngineLimits): PdfDocument {
  const [first] = file.chunks
  if (first && file.chunks.length === 1) return openDocument(first, limits)
  // Only what is read is filled in. The memory of the other bytes is never used.
  const bytes = Buffer.allocUnsafeSlow(file.byteLength)
  const fill = (start: number, end: number): void => file.copyRange(bytes, start, end)
  fill(0, HEADER_BYTES)
  fill(file.xrefStart, file.byteLength)
  return openSource(new InputFile(bytes, limits, { fill }), limits)
}

/** Enough for the line that a file begins with. */
const HEADER_BYTES = 16

/** Opens a second document on the same file, without the changes to the first one. */
export function forkDocument(document: PdfDocument): PdfDocument {
  const inFile = document.facts.get(PAGES_IN_FILE)
  if (!inFile?.isSound) return openSource(document.source, document.limits)
  collectPageFacts(document)
  const fork = new PdfDocument(document.source, document.limits)
  fork.fileFacts = document.fileFacts
  fork.facts.set(PAGES_IN_FILE, { ...inFile, isSound: false })
  fork.replacePageList(inFile.pages.map(page => page.in(fork)))
  collectFileFacts(fork)
  nameCatalog(fork)
  for (const repair of document.facts.get(REPAIRS) ?? []) repair(fork)
  return fork
}

function openSource(source: InputFile, limits: EngineLimits): PdfDocument {
  const wasRebuilt = source.isRebuilt
  const document = new PdfDocument(source, limits)
  const { pages, isSound } = readPageTree(document)
  document.facts.set(PAGES_IN_FILE, { pages, isSound })
  if (isSound) document.replacePageList(pages)
  else {
    source.knownPages = new Set(pages.map(({ ref }) => ref.objectNumber))
    rebuildPages(document, pages)
  }
  nameCatalog(document)
  if (source.repairs.length || !isSound) {
    document.warnings.add('repaired')
    repairContents(document, pages)
  }
  // The repair may have found more objects and pages, so open the file again. A file is repaired once at most.
  if (source.isRebuilt !== wasRebuilt) {
    source.forgetPages()
    return openSource(source, limits)
  }
  if (source.settle()) document.store.dropDangling()
  return document
}

function nameCatalog(document: PdfDocument): void {
  if (document.catalog.get(Name.Type) !== Name.Catalog) document.editCatalog().set(Name.Type, Name.Catalog)
}
