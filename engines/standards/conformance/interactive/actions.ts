import { PDFArray, PDFDict } from 'pdf-lib'
import type { PDFObject } from 'pdf-lib'
import { annotationsOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import { readOutline } from '../../../pdf/document'
import * as Name from '../../../pdf/names'
import type { Examination } from '../examination/examination'
import type { Location } from '../examination/report'
import { inAllParts } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { objectLocation } from './annotations'
import { listFields } from './fields'

/** An action (ISO 32000-2, 12.6). */
interface Action {
  document: PdfDocument
  dict: PDFDict
  type: string | undefined
}

const TYPES_OF_PART_1 = new Set(['GoTo', 'GoToR', 'Thread', 'URI', 'Named', 'SubmitForm'])
const LATER_TYPES = new Set([...TYPES_OF_PART_1, 'GoToE'])
/** The named actions that PDF/A allows. */
export const PAGE_ACTIONS: ReadonlySet<string> = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage'])

/** The types of actions that a part of PDF/A allows (ISO 19005-1, 6.6.1; ISO 19005-2, 6.5.1). */
export function actionTypesOf(part: number): ReadonlySet<string> {
  return part === 1 ? TYPES_OF_PART_1 : LATER_TYPES
}

/** Maximum number of actions in one chain. */
const MOST_IN_CHAIN = 10_000

const ACTION_RULES: Rule<Action>[] = [
  {
    in: inAllParts('6.6.1-1', '6.5.1-1'),
    message: 'Actions must have a type that the profile allows. Scripts, media and programs are not allowed.',
    check: ({ type }, { profile }) => {
      const types = actionTypesOf(profile.family === 'pdfa-1' ? 1 : 2)
      return type !== undefined && types.has(type) ? undefined : type === undefined ? 'no /S' : `/S /${type}`
    },
  },
  {
    in: inAllParts('6.6.1-2', '6.5.1-2'),
    message: 'Named actions may only turn to the next, previous, first or last page.',
    check: ({ document, dict, type }) => {
      if (type !== 'Named') return undefined
      const name = document.peekName(dict.get(Name.N))
      return name !== undefined && PAGE_ACTIONS.has(name) ? undefined : `/N /${name ?? ''}`
    },
  },
]

/** Checks every action of the document once, at the first location that leads to it. */
export function examineActions(examination: Examination): void {
  if (!examination.has(ACTION_RULES)) return
  const { document } = examination
  const seen = new Set<PDFDict>()
  const follow = (start: PDFObject | undefined, location: Location): void => {
    const waiting = [start]
    while (waiting.length > 0 && seen.size < document.limits.maxObjects) {
      const value = waiting.pop()
      const dict = document.peek(value)
      if (!(dict instanceof PDFDict) || seen.has(dict)) continue
      seen.add(dict)
      const subject = { document, dict, type: document.peekName(dict.get(Name.S)) }
      examination.apply(ACTION_RULES, subject, { ...location, ...objectLocation(value) })
      const next = document.peek(dict.get(Name.Next))
      if (next instanceof PDFArray) waiting.push(...next.asArray().slice(0, MOST_IN_CHAIN))
      else waiting.push(dict.get(Name.Next))
    }
  }
  const followAll = (dict: PDFDict | undefined, location: Location): void => {
    for (const action of document.peekDict(dict?.get(Name.AA))?.values() ?? []) follow(action, location)
  }
  followDocument(document, follow, followAll)
}

type Follow<Start> = (start: Start, location: Location) => void

function followDocument(
  document: PdfDocument,
  follow: Follow<PDFObject | undefined>,
  followAll: Follow<PDFDict | undefined>,
): void {
  const { catalog } = document
  follow(catalog.get(Name.OpenAction), objectLocation(document.rootRef))
  followAll(catalog, objectLocation(document.rootRef))
  for (const { ref } of readOutline(document).all) follow(document.peekDict(ref)?.get(Name.A), objectLocation(ref))
  for (const [index, page] of document.pages.entries()) {
    followAll(page.dict, { page: index + 1, ...objectLocation(page.ref) })
    for (const value of annotationsOf(document, page)) {
      const location = { page: index + 1, ...objectLocation(value, page.ref) }
      follow(document.peekDict(value)?.get(Name.A), location)
      followAll(document.peekDict(value), location)
    }
  }
  for (const { dict, location } of listFields(document)) followAll(dict, location)
}
