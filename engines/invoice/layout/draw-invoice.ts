import { changeMetadata } from '../../pdf-core/metadata/metadata'
import type { PdfDocument } from '../../pdf-core/document/document'
import { embedImage } from '../../pdf-core/images/images'
import { createDocument } from '../../pdf-core/pages/new-document'
import { writeText } from '../../pdf-core/syntax/text-string'
import { openTypesetter } from '../../text/typesetter'
import type { EngineLimits } from '../../types'
import { placeClosing, placeText, setClosing } from './closing'
import type { Draft } from './draft'
import { openFormats } from '../data/formats'
import type { Invoice } from '../data/invoice'
import { placeItems } from './item-table'
import { isRightToLeft, resolveLabels } from '../data/labels'
import { LineSetter } from './line-setter'
import { placeMasthead, titleOf } from './masthead'
import { placeParties } from './parties'
import { placePayment } from './payment-block'
import { drawFooters, drawRunningHead } from './running-lines'
import { Sheet } from './sheet'
import { TagTree } from './tag-tree'
import { openTheme } from './theme'
import { computeTotals } from '../data/totals'
import * as Name from '../../pdf-core/syntax/names'

interface Circumstances {
  /** The bytes of `logo`. */
  logo: Uint8Array | undefined
  limits: EngineLimits
  /** The moment of the call, whose day is the date of an invoice that names none. */
  now: Date
}

/**
 * An invoice as a PDF document: tagged, with its fonts, the same for the same data. Throws EngineError `bad-options`
 * for characters that no font has and for a logo that is no picture.
 */
export async function drawInvoice(invoice: Invoice, { logo, limits, now }: Circumstances): Promise<PdfDocument> {
  const { locale, currency } = invoice
  const document = createDocument(limits)
  const mirrored = isRightToLeft(locale)
  const tags = new TagTree(document, mirrored ? { A: document.context.obj({ O: 'Layout', WritingMode: 'RlTb' }) } : {})
  const draft: Draft = {
    invoice,
    issueDate: invoice.issueDate ?? now.toISOString().slice(0, 10),
    totals: computeTotals(invoice),
    labels: resolveLabels(locale, invoice.labels),
    formats: openFormats(locale, currency),
    setter: new LineSetter(await openTypesetter(), locale, mirrored),
    sheet: new Sheet(document, openTheme(invoice), { tags, isRightToLeft: mirrored }),
    logo: logo && embedImage(document, logo, 'logo'),
  }
  await drawAll(draft)
  describeDocument(document, draft, mirrored)
  return document
}

async function drawAll(draft: Draft): Promise<void> {
  const { sheet, invoice, labels } = draft
  sheet.onNewPage = () => drawRunningHead(draft)
  await placeMasthead(draft)
  await placeParties(draft)
  const table = sheet.tags.add('Table')
  const section = sheet.tags.add('Sect')
  const closing = await setClosing(draft, section)
  await placeItems(draft, table, closing.heightPt)
  await placeClosing(draft, closing, section)
  await placePayment(draft, section)
  if (invoice.terms?.trim())
    await placeText(draft, { heading: labels.terms, text: invoice.terms, param: 'terms', parent: section })
  drawFooters(draft)
  sheet.finish()
}

/** Title, author and language, for readers and for those who read aloud (ISO 32000-2, 14.9.2; 12.2). */
function describeDocument(document: PdfDocument, { invoice, labels }: Draft, mirrored: boolean): void {
  const title = `${titleOf({ invoice, labels })} ${invoice.invoiceNumber}`
  changeMetadata(document, {
    fields: new Map([
      ['title', title],
      ['author', invoice.from.name],
      ['creator', 'Sheaf'],
    ]),
    custom: new Map(),
  })
  const catalog = document.editCatalog()
  catalog.set(Name.Lang, writeText(invoice.locale))
  catalog.set(
    Name.ViewerPreferences,
    document.context.obj({ DisplayDocTitle: true, ...(mirrored && { Direction: 'R2L' }) }),
  )
}
