import { PDFDict, PDFHexString, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import { AddedFile } from './added-file'
import { annotationsOf } from '../annotations/annotations'
import { joinAttachments } from '../structure/attachments'
import { compareClaims } from '../metadata/conformance-claims'
import { copyRepeated } from '../pages/copy-pages'
import { replaceNames } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { hasFields } from '../fields/form-fields'
import { joinForms } from './join-forms'
import type { NamePolicy } from './join-forms'
import { ScriptJoiner } from './join-scripts'
import { readPageLabels, writePageLabels } from '../structure/page-labels'
import type { PageLabel } from '../structure/page-labels'
import { joinLayers } from '../structure/layers'
import { repairContents } from '../content/repair-contents'
import { readNameTree, stringBytes } from '../document/name-tree'
import type { NamedEntry } from '../document/name-tree'
import { resolveAddedTargets, resolveNumberedTargets } from '../pages/page-number-targets'
import { readOutline, writeOutline } from '../structure/outline'
import { readPageTree, setPages } from '../document/page-tree'
import type { Page } from '../document/page-tree'
import { movePrintRange } from '../structure/print-range'
import { joinTags } from '../tags/tags'
import { keepVersionOf } from '../document/version'
import { dropXfa } from '../fields/xfa'
import * as Name from '../syntax/names'

/** What one of several documents has in the whole: so many pages, and so many entries of the outline's first level. */
export interface Share {
  pageCount: number
  bookmarkCount: number
}

/** What appending came to. */
export interface Merged {
  /** The first document's share, then those of the appended ones. */
  shares: Share[]
  /** Fields of which some widgets show another value than they have now: they have to be drawn anew. */
  staleFields: PDFRef[]
}

/**
 * Appends whole documents to the first one, in order. Outlines, named destinations, page labels, form fields,
 * attachments, layers, tags and links of all of them are kept; metadata, viewer settings and what happens on opening
 * are the first one's; `fieldNames` says what becomes of fields whose name is taken. The appended documents must be
 * unchanged since they were opened.
 */
export function appendDocuments(document: PdfDocument, others: PdfDocument[], fieldNames: NamePolicy): Merged {
  const labels = [readPageLabels(document)]
  const outline = readOutline(document).items
  const shares: Share[] = [{ pageCount: document.pageCount, bookmarkCount: outline.length }]
  const pages = [...document.pages]
  const staleFields = new Set<PDFRef>()
  resolveNumberedTargets(document, pages)
  const catalogs: number[] = []
  let hasMore = false
  dropXfa(document)
  const scripts = new ScriptJoiner(document)
  for (const other of others) {
    compareClaims(document, other)
    keepVersionOf(document, other)
    const shift = document.store.addSource(other.source)
    if (document.context.largestObjectNumber > MAX_NUMBER)
      throw new EngineError('too-large', 'The documents together have too many objects; merge fewer at once.')
    const catalogRef = PDFRef.of(other.rootRef.objectNumber + shift)
    const catalog = document.peekDict(catalogRef)
    if (!catalog)
      throw new EngineError('unreadable', 'One of the files is damaged beyond repair: it has no document catalog.')
    catalogs.push(catalogRef.objectNumber)
    const added = pagesOf(document, other, catalogRef)
    if (other.warnings.has('repaired')) repairContents(document, added)
    if (pages.length + added.length > document.limits.maxPagesOut) {
      throw new EngineError(
        'too-large',
        `The merged document would have more than ${document.limits.maxPagesOut.toLocaleString('en')} pages; merge ` +
          'fewer at once.',
      )
    }
    resolveAddedTargets(document, { catalogRef, pages: added })
    const file = new AddedFile(document, catalogRef, catalog, added)
    // Tags first: they look for everything that the other catalog reaches, as it came.
    joinTags(document, file)
    joinDestinations(document, catalog, added)
    // Before fields are shared, which takes actions from some of them.
    const actions = fieldNames === 'share' && hasFields(document, catalog) ? [...file.actions()] : undefined
    const { shared, renamed } = joinForms(document, file, fieldNames)
    for (const field of shared) if (field.isStale) staleFields.add(field.ref)
    scripts.add(file, { fields: renamed, actions: actions ?? file.actions() })
    joinAttachments(document, catalog)
    joinLayers(document, catalog)
    joinThreads(document, catalog)
    const { items } = readOutline(document, catalog)
    hasMore ||= items.length > 0
    for (const item of items) outline.push(item)
    labels.push(readPageLabels(other))
    shares.push({ pageCount: added.length, bookmarkCount: items.length })
    for (const page of added) pages.push(page)
    for (const warning of other.warnings) document.warnings.add(warning)
    if (other.isSigned) document.warnings.add('signatures-invalidated')
  }
  scripts.write()
  // A signature may name the catalog that it was made for, with all that the merged file does not take over.
  document.store.sever(catalogs)
  setPages(document, copyRepeated(document, pages))
  movePrintRange(document, []) // what the first file wants printed are not all files
  if (hasMore) writeOutline(document, outline)
  if (labels.some(Boolean))
    writePageLabels(
      document,
      joinLabels(
        labels,
        shares.map(share => share.pageCount),
      ),
    )
  return { shares, staleFields: [...staleFields] }
}

/** Annex C of ISO 32000-1: object numbers end at 8,388,607. */
const MAX_NUMBER = 8_000_000

/** The pages of an added document under their numbers here. */
function pagesOf(document: PdfDocument, other: PdfDocument, catalogRef: PDFRef): Page[] {
  return readPageTree(document, catalogRef).pages.slice(0, other.pageCount)
}

/** Pages of documents without labels count on by their place in the whole, as viewers show them. */
function joinLabels(labels: (PageLabel[] | undefined)[], counts: number[]): PageLabel[] {
  const joined: PageLabel[] = []
  for (const [index, own] of labels.entries()) {
    for (let page = 0; page < (counts[index] ?? 0); page++) {
      joined.push(own?.[page] ?? { style: Name.D, prefix: undefined, number: joined.length + 1 })
    }
  }
  return joined
}

/** Adds named destinations; where a name is taken, the added one and everything that uses it get another. */
function joinDestinations(document: PdfDocument, other: PDFDict, pages: Page[]): void {
  const own = readNameTree(document, document.peekDict(document.catalog.get(Name.Names))?.get(Name.Dests))
  const added = readNameTree(document, document.peekDict(other.get(Name.Names))?.get(Name.Dests))
  const ownOld = document.peekDict(document.catalog.get(Name.Dests))
  const addedOld = document.peekDict(other.get(Name.Dests))
  const taken = new Set([...own.map(entry => entry.key), ...(ownOld?.keys() ?? []).map(key => key.decodeText())])
  const renames = new Map<string, string>()
  const rename = (key: string): string => {
    let free = key
    for (let count = 2; taken.has(free); count++) free = `${key}_${count}`
    taken.add(free)
    if (free !== key) renames.set(key, free)
    return free
  }
  const moved: NamedEntry[] = added.map(entry => ({ key: rename(entry.key), value: entry.value }))
  const movedOld = (addedOld?.entries() ?? []).map(
    ([key, value]) => [PDFName.of(rename(key.decodeText())), value] as const,
  )
  if (moved.length) replaceNames(document, Name.Dests, [...own, ...moved])
  if (movedOld.length) {
    const dict = document.editDict(document.rootRef, Name.Dests) ?? PDFDict.withContext(document.context)
    for (const [key, value] of movedOld) dict.set(key, value)
    if (!ownOld) document.editCatalog().set(Name.Dests, document.register(dict))
  }
  if (renames.size) renameUses(document, other, pages, renames)
}

function renameUses(document: PdfDocument, other: PDFDict, pages: Page[], names: ReadonlyMap<string, string>): void {
  const renames = { names, done: new Set<PDFDict>() }
  for (const page of pages) {
    for (const annotation of annotationsOf(document, page)) {
      if (annotation instanceof PDFRef) renameIn(document, annotation, renames)
      else if (annotation instanceof PDFDict && renameDirect(document, annotation, renames)) document.edit(page.ref)
    }
  }
  for (const item of readOutline(document, other).all) renameIn(document, item.ref, renames)
}

/** New names of destinations, and the dictionaries that have theirs: links may share an action. */
interface Renames {
  names: ReadonlyMap<string, string>
  done: Set<PDFDict>
}

function renameIn(document: PdfDocument, ref: PDFRef, renames: Renames): void {
  const dict = document.peekDict(ref)
  if (dict && renameDirect(document, dict, renames)) document.edit(ref)
}

/** Renames the destination of a link or an outline entry; true when the dictionary itself was changed. */
function renameDirect(document: PdfDocument, dict: PDFDict, { names, done }: Renames): boolean {
  if (done.has(dict)) return false
  done.add(dict)
  const replaced = replacement(document, dict.get(Name.Dest), names)
  if (replaced) dict.set(Name.Dest, replaced)
  const actionValue = dict.get(Name.A)
  const action = document.peekDict(actionValue)
  if (!action || done.has(action) || document.peek(action.get(Name.S)) !== Name.GoTo) return replaced !== undefined
  done.add(action)
  const target = replacement(document, action.get(Name.D), names)
  if (!target) return replaced !== undefined
  action.set(Name.D, target)
  if (actionValue instanceof PDFRef) document.edit(actionValue)
  return replaced !== undefined || !(actionValue instanceof PDFRef)
}

function replacement(
  document: PdfDocument,
  value: PDFObject | undefined,
  renames: ReadonlyMap<string, string>,
): PDFObject | undefined {
  const destination = document.peek(value)
  if (destination instanceof PDFName) {
    const renamed = renames.get(destination.decodeText())
    return renamed === undefined ? undefined : PDFName.of(renamed)
  }
  const bytes = stringBytes(destination)
  const renamed = bytes === undefined ? undefined : renames.get(bytes)
  return renamed === undefined ? undefined : hexString(renamed)
}

function hexString(bytes: string): PDFObject {
  return PDFHexString.of(Buffer.from(bytes, 'latin1').toString('hex').toUpperCase())
}

function joinThreads(document: PdfDocument, other: PDFDict): void {
  const added = document.peekArray(other.get(Name.Threads))
  if (!added) return
  const own = document.peekArray(document.catalog.get(Name.Threads))?.asArray() ?? []
  document.editCatalog().set(Name.Threads, document.context.obj([...own, ...added.asArray()]))
}
