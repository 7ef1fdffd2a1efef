import { PDFArray } from 'pdf-lib'
import type { PDFDict, PDFObject } from 'pdf-lib'
import { annotationsOf } from '../../../pdf/annotations'
import type { PdfDocument } from '../../../pdf/document'
import { readOutline } from '../../../pdf/document'
import { readText } from '../../../pdf/syntax'
import type { Examination } from '../examination/examination'
import { entryOf, plainDict } from '../examination/model'
import type { Location } from '../examination/report'
import type { Rule } from '../examination/rules'
import { fieldsIn } from './fields-in'
import { isString, locationOf, quote, textEntry } from './values'
import * as Name from '../../../pdf/names'

/** Rules on media clips (ISO 14289-1, 7.18.6.2). */
const CLIP_RULES: readonly Rule<PDFDict>[] = [
  {
    in: { 'pdfua-1': '7.18.6.2-1' },
    message: 'A media clip must have its content type in /CT.',
    check: (clip, { document }) => (textEntry(document, clip, 'CT') === undefined ? 'no /CT' : undefined),
  },
  {
    in: { 'pdfua-1': '7.18.6.2-2' },
    message: 'A media clip must have /Alt with pairs of a language and an alternate description.',
    check(clip, { document }) {
      const alternates = entryOf(document, clip, 'Alt')
      if (!(alternates instanceof PDFArray)) return alternates ? '/Alt isn’t an array' : 'no /Alt'
      const texts = alternates.asArray().map(value => document.peek(value))
      if (texts.length % 2 !== 0) return 'an odd number of texts'
      const wrong = texts.findIndex((text, index) => !isString(text) || (index % 2 === 1 && readText(text) === ''))
      if (wrong < 0) return undefined
      const language = readText(texts[wrong - 1])
      return language === undefined ? 'a value that isn’t a string' : `empty text for ${quote(language)}`
    },
  },
]

/** Checks the media clips of all rendition actions. */
export function examineMediaClips(examination: Examination): void {
  const { document } = examination
  const seen = new Set<PDFDict>()
  for (const action of actionsIn(document)) {
    if (document.peekName(entryOf(document, action.dict, 'S')) !== 'Rendition') continue
    const rendition = document.peekDict(entryOf(document, action.dict, 'R'))
    const clip = plainDict(document, entryOf(document, rendition, 'C'))
    if (!clip || seen.has(clip)) continue
    seen.add(clip)
    examination.apply(CLIP_RULES, clip, action.location)
  }
}

interface Action {
  dict: PDFDict
  location: Location
}

/** The actions of the document, its pages, annotations, outline items and form fields, with those that follow them. */
function actionsIn(document: PdfDocument): Action[] {
  const walk = new ActionWalk(document)
  walk.addOwner(document.catalog, {})
  for (const { dict } of readOutline(document).all) walk.addOwner(dict, {})
  for (const [index, page] of document.pages.entries()) {
    walk.addOwner(page.dict, { page: index + 1 })
    for (const annotation of annotationsOf(document, page))
      walk.addOwner(document.peekDict(annotation), { page: index + 1 })
  }
  for (const field of fieldsIn(document)) walk.addOwner(field.dict, field.location)
  return walk.actions
}

class ActionWalk {
  readonly actions: Action[] = []
  private readonly seen = new Set<PDFDict>()

  constructor(private readonly document: PdfDocument) {}

  /** Adds the actions of a dictionary. */
  addOwner(owner: PDFDict | undefined, location: Location): void {
    if (!owner) return
    const { document } = this
    this.add(owner.get(Name.A), location)
    this.add(owner.get(Name.OpenAction), location)
    for (const value of document.peekDict(entryOf(document, owner, 'AA'))?.values() ?? []) this.add(value, location)
  }

  private add(value: PDFObject | undefined, location: Location): void {
    const { document } = this
    const stack = [value]
    while (stack.length > 0) {
      const next = stack.pop()
      const dict = plainDict(document, next)
      if (!dict || this.seen.has(dict)) continue
      this.seen.add(dict)
      this.actions.push({ dict, location: { ...location, ...locationOf(next) } })
      const following = entryOf(document, dict, 'Next')
      if (following instanceof PDFArray) for (const action of following.asArray().toReversed()) stack.push(action)
      else stack.push(dict.get(Name.Next))
    }
  }
}
