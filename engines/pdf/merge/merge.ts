import { PDFDict, PDFHexString, PDFName, PDFRef } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { EngineError } from '../../errors'
import { AddedFile } from './added-file'
import { annotationsOf } from '../annotations/annotations'
import { joinAttachments } from '../structure/attachments'
import { compareClaims } from '../metadata/conformance-claims'
import { copyRepeated } from '../open-save/repeated-pages'
import { replaceNames } from '../structure/destinations'
import type { PdfDocument } from '../document/document'
import { hasFields } from '../forms/fields/form-fields'
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
import { joinTags } from './join-tags'
import { keepVersionOf } from '../document/version'
import { dropXfa } from '../forms/fields/xfa'
import * as Name from '../syntax/names'

/** The part of a merged document that comes from one file: its number of pages and of top-level bookmarks. */
export interface Share {
  pageCount: number
  bookmarkCount: number
}

/** The result of appending documents. */
export interface Merged {
  /** The share of the first document, then those of the appended documents. */
  shares: Share[]
  /** Fields with some widgets that show an outdated value. Their appearances must be drawn again. */
  staleFields: PDFRef[]
}

/**
 * Appends whole documents to the first one, in order. Keeps outlines, named destinations, page labels, form fields,
 * attachments, layers, tags and links of all documents. Metadata, viewer preferences and open actions come from the
 * first document. `fieldNames` decides what happens to fields whose name is in use. The appended documents must be
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
      throw new EngineError('too_large', 'The documents together have too many objects. Merge fewer at once.')
    const catalogRef = PDFRef.of(other.rootRef.objectNumber + shift)
    const catalog = document.peekDict(catalogRef)
    if (!catalog)
      throw new EngineError('damaged', 'One of the files is damaged beyond repair. It has no document catalog.')
    catalogs.push(catalogRef.objectNumber)
    const added = pagesOf(document, other, catalogRef)
    if (other.warnings.has('repaired')) repairContents(document, added)
    if (pages.length + added.length > document.limits.maxPagesOut) {
      throw new EngineError(
        'too_large',
        `The merged document would have more than ${document.limits.maxPagesOut.toLocaleString('en')} pages. ` +
          'Merge fewer pages at once.',
      )
    }
    resolveAddedTargets(document, { catalogRef, pages: added })
    const file = new AddedFile(document, catalogRef, catalog, added)
    // Join tags first, because this follows all references from the other catalog and needs them unchanged.
    joinTags(document, file)
    joinDestinations(document, catalog, added)
    // List the actions before fields are shared, because sharing removes actions from some fields.
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
  // A signature may refer to its file's catalog, and the catalog to objects that the merged file must not have.
  document.store.sever(catalogs)
  setPages(document, copyRepeated(document, pages))
  movePrintRange(document, []) // the first file's print range doesn't fit the merged file
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

/** Slightly less than the maximum object number of ISO 32000-1, Annex C, which is 8,388,607. */
const MAX_NUMBER = 8_000_000

/** The pages of an added document, with their object numbers in this document. */
function pagesOf(document: PdfDocument, other: PdfDocument, catalogRef: PDFRef): Page[] {
  return readPageTree(document, catalogRef).pages.slice(0, other.pageCount)
}

/** Joins page labels. Pages of documents without labels get their page number in the merged file, as in viewers. */
function joinLabels(labels: (PageLabel[] | undefined)[], counts: number[]): PageLabel[] {
  const joined: PageLabel[] = []
  for (const [index, fileLabels] of labels.entries()) {
    for (let page = 0; page < (counts[index] ?? 0); page++) {
      joined.push(fileLabels?.[page] ?? { style: Name.D, prefix: undefined, number: joined.length + 1 })
    }
  }
  return joined
}

/** Adds named destinations. If a name is in use, the added destination and its references get another name. */
function joinDestinations(document: PdfDocument, other: PDFDict, pages: Page[]): void {
  const existing = readNameTree(document, document.peekDict(document.catalog.get(Name.Names))?.get(Name.Dests))
  const added = readNameTree(document, document.peekDict(other.get(Name.Names))?.get(Name.Dests))
  const existingLegacy = document.peekDict(document.catalog.get(Name.Dests))
  const addedLegacy = document.peekDict(other.get(Name.Dests))
  const usedNames = new Set([
    ...existing.map(entry => entry.key),
    ...(existingLegacy?.keys() ?? []).map(key => key.decodeText()),
  ])
  const renames = new Map<string, string>()
  const rename = (key: string): string => {
    let free = key
    for (let count = 2; usedNames.has(free); count++) free = `${key}_${count}`
    usedNames.add(free)
    if (free !== key) renames.set(key, free)
    return free
  }
  const renamedEntries: NamedEntry[] = added.map(entry => ({ key: rename(entry.key), value: entry.value }))
  const renamedLegacy = (addedLegacy?.entries() ?? []).map(
    ([key, value]) => [PDFName.of(rename(key.decodeText())), value] as const,
  )
  if (renamedEntries.length) replaceNames(document, Name.Dests, [...existing, ...renamedEntries])
  if (renamedLegacy.length) {
    const dict = document.editDict(document.rootRef, Name.Dests) ?? PDFDict.withContext(document.context)
    for (const [key, value] of renamedLegacy) dict.set(key, value)
    if (!existingLegacy) document.editCatalog().set(Name.Dests, document.register(dict))
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

/** New names of destinations, and the dictionaries already renamed, because links may share an action. */
interface Renames {
  names: ReadonlyMap<string, string>
  done: Set<PDFDict>
}

function renameIn(document: PdfDocument, ref: PDFRef, renames: Renames): void {
  const dict = document.peekDict(ref)
  if (dict && renameDirect(document, dict, renames)) document.edit(ref)
}

/** Renames the destination of a link or an outline item. Returns true if the dictionary itself has changed. */
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
  const existing = document.peekItems(document.catalog.get(Name.Threads))
  document.editCatalog().set(Name.Threads, document.context.obj([...existing, ...added.asArray()]))
}
