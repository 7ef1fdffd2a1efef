import { PDFArray, PDFRef } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { annotationsOf } from '../annotations/annotations'
import type { PdfDocument } from '../document/document'
import { readNameTree } from '../document/name-tree'
import { readOutline } from '../structure/outline'
import type { Page } from '../document/page-tree'
import * as Name from '../syntax/names'
import type { Holder } from '../document/structure-elements'

/**
 * A file whose objects have been added to a document. Its catalog and pages have the object numbers of the document.
 */
export class AddedFile {
  constructor(
    private readonly document: PdfDocument,
    readonly catalogRef: PDFRef,
    readonly catalog: PDFDict,
    readonly pages: readonly Page[],
  ) {}

  get form(): PDFDict | undefined {
    return this.document.peekDict(this.catalog.get(Name.AcroForm))
  }

  /** Yields every field in the form's field tree and every annotation on the pages, once each. */
  *fieldsAndAnnotations(): Generator<Holder> {
    const { document } = this
    const visited = new Set<PDFDict>()
    const stack: PDFObject[] = document.peekArray(this.form?.get(Name.Fields))?.asArray().slice() ?? []
    for (let value = stack.pop(); value; value = stack.pop()) {
      const dict = document.peekDict(value)
      if (!(value instanceof PDFRef) || !dict || visited.has(dict)) continue
      visited.add(dict)
      for (const kid of document.peekItems(dict.get(Name.Kids))) stack.push(kid)
      const ref = value
      yield { dict, edit: () => document.edit(ref) }
    }
    for (const page of this.pages) {
      for (const annotation of annotationsOf(document, page)) {
        const dict = document.peekDict(annotation)
        if (!dict || visited.has(dict)) continue
        visited.add(dict)
        const isDirect = !(annotation instanceof PDFRef)
        yield { dict, edit: () => (isDirect ? this.editDirect(page, dict) : document.edit(annotation)) }
      }
    }
  }

  /**
   * Yields every action (ISO 32000-2, 12.6) of fields, annotations, pages, bookmarks and document scripts, once each.
   */
  *actions(): Generator<Holder> {
    const { document } = this
    const visited = new Set<PDFObject>()
    for (const { value, touch } of this.triggers()) {
      const stack = [{ value, touch }]
      for (let next = stack.pop(); next; next = stack.pop()) {
        const { value, touch } = next
        const list = document.peek(value)
        const touchThis = (): void => {
          if (value instanceof PDFRef) document.store.get(value)
          else touch()
        }
        if (!list || visited.has(list)) continue
        visited.add(list)
        if (list instanceof PDFArray) {
          for (const item of list.asArray()) stack.push({ value: item, touch: touchThis })
          continue
        }
        const dict = document.peekDict(list)
        if (!dict) continue
        yield { dict, edit: () => (touchThis(), dict) }
        const following = dict.get(Name.Next)
        if (following) stack.push({ value: following, touch: touchThis })
      }
    }
  }

  /** Yields the values of named destinations that are dictionaries (ISO 32000-2, 12.3.2.4). */
  *destinations(): Generator<Holder> {
    const { document, catalog } = this
    const tree = readNameTree(document, document.peekDict(document.peekDict(catalog.get(Name.Names))?.get(Name.Dests)))
    const values = [...tree.map(({ value }) => value), ...(document.peekDict(catalog.get(Name.Dests))?.values() ?? [])]
    for (const value of values) {
      const dict = document.peekDict(value)
      // Merging rewrites the name tree, so a direct value needs no owner to edit.
      if (dict) yield { dict, edit: () => (value instanceof PDFRef ? document.edit(value) : dict) }
    }
  }

  /** Yields the values that lead to actions. `touch` marks the owner of such a value as changed. */
  private *triggers(): Generator<{ value: PDFObject; touch(): void }> {
    const { document, catalog } = this
    // Merging rewrites the name tree, so its values need no owner to mark as changed.
    for (const { value } of readNameTree(document, document.peekDict(catalog.get(Name.Names))?.get(Name.JavaScript))) {
      yield { value, touch: () => undefined }
    }
    for (const { dict, edit } of this.triggerHolders()) {
      const action = dict.get(Name.A)
      if (action) yield { value: action, touch: edit }
      const additional = dict.get(Name.AA)
      const touch = (): void => {
        if (additional instanceof PDFRef) document.edit(additional)
        else edit()
      }
      for (const value of document.peekDict(additional)?.values() ?? []) yield { value, touch }
    }
  }

  private *triggerHolders(): Generator<Holder> {
    const { document } = this
    yield* this.fieldsAndAnnotations()
    for (const { dict, ref } of this.pages) yield { dict, edit: () => document.edit(ref) }
    for (const { dict, ref } of readOutline(document, this.catalog).all) yield { dict, edit: () => document.edit(ref) }
  }

  /** Returns a direct annotation for changes. Marks the owner of the annotation list as changed. */
  private editDirect(page: Page, annotation: PDFDict): PDFDict {
    const list = page.dict.get(Name.Annots)
    if (list instanceof PDFRef) this.document.store.get(list)
    else this.document.edit(page.ref)
    return annotation
  }
}
