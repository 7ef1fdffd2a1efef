import type { PDFDict } from 'pdf-lib'
import { streamOf } from '../examination/model'
import type { ContentStream, StreamWalk } from '../../../pdf/walk-content'
import * as Name from '../../../pdf/names'
import type { Location } from '../examination/report'
import { hasEntry, locationOf } from './values'
import { findOrAdd } from '../../../map-entries'

/** A form XObject with /StructParents that is drawn. */
export interface FormUse {
  uses: number
  location: Location
}

/** More uses than this aren't counted. */
const MOST_USES = 2

interface Drawn {
  /** The forms that a stream draws, each as often as it draws it. */
  forms: Map<PDFDict, { count: number; location: Location }>
  uses: number
}

/** Counts how often form XObjects are drawn, also through other forms, which are only read once. */
export class FormUses {
  private readonly streams = new Map<PDFDict, Drawn>()
  private readonly roots = new Set<PDFDict>()
  private readonly finished = new Set<PDFDict>()

  begin({ kind, dict }: ContentStream): void {
    if (kind !== 'form') this.roots.add(dict)
  }

  end({ dict }: ContentStream): void {
    this.finished.add(dict)
  }

  /** Notes a form that `Do` draws. Streams that are read again draw the same forms. */
  record(walk: StreamWalk): void {
    if (this.finished.has(walk.stream.dict)) return
    const value = walk.resource('XObject', walk.reader.name)
    const form = streamOf(walk.document, value)
    if (!form || walk.document.peekName(form.dict.get(Name.Subtype)) !== 'Form') return
    const { forms } = this.drawnBy(walk.stream.dict)
    const drawn = findOrAdd(forms, form.dict, () => ({ count: 0, location: locationOf(value, walk.location.page) }))
    drawn.count++
  }

  /** The forms with content of their own in the structure tree. */
  count(document: StreamWalk['document']): FormUse[] {
    const locations = new Map<PDFDict, Location>()
    const stack: { dict: PDFDict; uses: number }[] = [...this.roots].map(dict => ({ dict, uses: 1 }))
    for (let next = stack.pop(); next; next = stack.pop()) {
      const drawn = this.drawnBy(next.dict)
      const before = drawn.uses
      drawn.uses = Math.min(MOST_USES, before + next.uses)
      if (drawn.uses === before) continue
      for (const [dict, { count, location }] of drawn.forms) {
        if (!locations.has(dict)) locations.set(dict, location)
        stack.push({ dict, uses: Math.min(MOST_USES, count * (drawn.uses - before)) })
      }
    }
    return [...locations].flatMap(([dict, location]) =>
      hasEntry(document, dict, 'StructParents') ? [{ uses: this.drawnBy(dict).uses, location }] : [],
    )
  }

  private drawnBy(dict: PDFDict): Drawn {
    return findOrAdd(this.streams, dict, () => ({ forms: new Map(), uses: 0 }))
  }
}
