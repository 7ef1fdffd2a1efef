import { PDFArray, PDFDict } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import { actionTypesOf, PAGE_ACTIONS } from '../conformance/interactive/actions'
import type { PdfDocument } from '../../pdf/document'
import * as Name from '../../pdf/names'
import { walkValues } from './all-objects'
import type { WritableObject } from './all-objects'

/**
 * Removes scripts and other actions that PDF/A forbids, additional actions, all actions of widgets, and presentations.
 * Links to pages and URLs stay. Returns whether anything was removed.
 */
export function removeActiveContent(
  document: PdfDocument,
  objects: readonly WritableObject[],
  part: 1 | 2 | 3,
): boolean {
  let isChanged = false
  const remove = (dict: PDFDict, key: PDFName): void => {
    if (dict.delete(key)) isChanged = true
  }
  const names = document.peekDict(document.catalog.get(Name.Names))
  for (const { object } of objects)
    for (const value of walkValues(object)) {
      if (!(value instanceof PDFDict)) continue
      if (value.has(Name.AA) && document.peek(value.get(Name.AA)) instanceof PDFDict) remove(value, Name.AA)
      if (value.has(Name.PresSteps) && document.peek(value.get(Name.Type)) === Name.Page) remove(value, Name.PresSteps)
      if (value.has(Name.A) && isForbidden(document, value, part)) remove(value, Name.A)
      if (value.has(Name.Next) && value.has(Name.S) && cutChain(document, value, part)) isChanged = true
    }
  const catalog = document.editCatalog()
  if (isAction(document, catalog.get(Name.OpenAction)) && !isAllowed(document, catalog.get(Name.OpenAction), part))
    remove(catalog, Name.OpenAction)
  if (catalog.has(Name.Requirements)) remove(catalog, Name.Requirements)
  for (const key of [Name.JavaScript, Name.AlternatePresentations]) if (names?.has(key)) remove(names, key)
  return isChanged
}

/** Returns whether the /A of an annotation or bookmark must go. Widgets may have none. */
function isForbidden(document: PdfDocument, owner: PDFDict, part: number): boolean {
  const action = owner.get(Name.A)
  if (!isAction(document, action)) return false
  return document.peek(owner.get(Name.Subtype)) === Name.Widget || !isAllowed(document, action, part)
}

/** Removes forbidden actions that follow an action. Returns whether there were any. */
function cutChain(document: PdfDocument, action: PDFDict, part: number): boolean {
  const next = document.peek(action.get(Name.Next))
  if (next instanceof PDFArray) {
    const kept = next.asArray().filter(item => isAllowed(document, item, part))
    if (kept.length === next.size()) return false
    action.set(Name.Next, document.context.obj(kept))
    return true
  }
  if (!isAction(document, next) || isAllowed(document, next, part)) return false
  return action.delete(Name.Next)
}

function isAction(document: PdfDocument, value: PDFObject | undefined): boolean {
  const dict = document.peek(value)
  return dict instanceof PDFDict && dict.has(Name.S)
}

function isAllowed(document: PdfDocument, value: PDFObject | undefined, part: number): boolean {
  const action = document.peek(value)
  if (!(action instanceof PDFDict)) return false
  const type = document.peekName(action.get(Name.S))
  if (type === 'Named') return PAGE_ACTIONS.has(document.peekName(action.get(Name.N)) ?? '')
  return actionTypesOf(part).has(type ?? '')
}
