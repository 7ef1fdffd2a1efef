import { changeMetadata } from '../../pdf-core/metadata/metadata'
import type { PdfDocument } from '../../pdf-core/document/document'
import { embedImage } from '../../pdf-core/images/images'
import { createDocument } from '../../pdf-core/pages/new-document'
import { writeText } from '../../pdf-core/syntax/text-string'
import { openTypesetter } from '../../text/typesetter'
import type { EngineLimits } from '../../types'
import { placeClosing, placeTexts, setClosing } from './closing'
import type { Draft } from './draft'
import { openFormats } from '../data/formats'
import type { Invoice } from '../request/invoice'
import { placeItems } from './item-table'
import { isRightToLeft, resolveLabels } from '../data/labels'
import { LineSetter } from './line-setter'
import { placeMasthead, titleOf } from './masthead'
import { placeParties } from './parties'
import { placePayment } from './payment-block'
import { drawFooters, drawContinuationHeader } from './running-lines'
import { Sheet } from './sheet'
import { TagTree } from './tag-tree'
import { openTheme } from './theme'
import type { Totals } from '../data/totals'
import * as Name from '../../pdf-core/syntax/names'

interface Circumstances {
  /** The amounts of the invoice. */
  totals: Totals
  /** The bytes of `logo`. */
  logo: Uint8Array | undefined
  limits: EngineLimits
  /** Time of the request. Its day is the default date of an invoice. */
  now: Date
}

/**
 * Draws an invoice as a tagged PDF document with embedded fonts. The same data gives the same document. Throws
 * EngineError `bad-options` for characters that no font has, and for a logo that isn't an image.
 */
export async function drawInvoice(
  invoice: Invoice,
  { totals, logo, limits, now }: Circumstances,
): Promise<PdfDocument> {
  const { locale, currency } = invoice
  const document = createDocument(limits)
  const isMirrored = isRightToLeft(locale)
  const tags = new TagTree(
    document,
    isMirrored ? { A: document.context.obj({ O: 'Layout', WritingMode: 'RlTb' }) } : {},
  )
  const draft: Draft = {
    invoice,
    issueDate: invoice.issueDate ?? now.toISOString().slice(0, 10),
    totals,
    labels: resolveLabels(locale, invoice.labels),
    formats: openFormats(locale, currency),
    setter: new LineSetter(await openTypesetter(), locale, isMirrored),
    sheet: new Sheet(document, openTheme(invoice), { tags, isRightToLeft: isMirrored }),
    logo: logo && embedImage(document, logo, 'logo'),
  }
  await drawAll(draft)
  describeDocument(document, draft, isMirrored)
  return document
}

async function drawAll(draft: Draft): Promise<void> {
  const { sheet, invoice, labels } = draft
  sheet.onNewPage = () => drawContinuationHeader(draft)
  await placeMasthead(draft)
  await placeParties(draft)
  const table = sheet.tags.add('Table')
  const section = sheet.tags.add('Sect')
  const closing = await setClosing(draft, section)
  await placeItems(draft, table, closing.heightPt)
  await placeClosing(draft, closing, section)
  await placePayment(draft, section)
  if (invoice.terms?.trim())
    await placeTexts(draft, {
      heading: labels.terms,
      texts: [{ text: invoice.terms, param: 'terms' }],
      parent: section,
    })
  if (invoice.attachments?.length)
    await placeTexts(draft, {
      heading: labels.attachments,
      texts: invoice.attachments.map(({ id, description, url }, index) => ({
        text: [id, description, url].filter(text => text?.trim()).join(' · '),
        param: `attachments[${index}]`,
      })),
      parent: section,
    })
  drawFooters(draft)
  sheet.finish()
}

/** Sets title, author and language for viewers and screen readers (ISO 32000-2, 14.9.2; 12.2). */
function describeDocument(document: PdfDocument, { invoice, labels }: Draft, isMirrored: boolean): void {
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
    document.context.obj({ DisplayDocTitle: true, ...(isMirrored && { Direction: 'R2L' }) }),
  )
}
