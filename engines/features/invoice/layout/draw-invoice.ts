import { changeMetadata } from '../../../pdf/metadata'
import type { PdfDocument } from '../../../pdf/document'
import { embedImage } from '../../../pdf/images'
import { createDocument } from '../../../pdf/page'
import { writeText } from '../../../pdf/syntax'
import { fontsOf, openTypesetter } from '../../../pdf/typeset'
import * as Name from '../../../pdf/names'
import type { EngineLimits } from '../../../types'
import { setClosing, setParagraphs } from './closing'
import type { Draft } from './draft'
import { openFormats } from '../data/formats'
import type { Invoice } from '../data/invoice'
import { placeItems } from './item-table'
import { isRightToLeft, resolveLabels } from '../data/labels'
import { LineSetter } from './line-setter'
import { placeMasthead, titleOf } from './masthead'
import { placeParties } from './parties'
import { setPayment } from './payment-block'
import { placePaymentSlip } from './payment-slip'
import { drawFooters, drawContinuationHeader } from './running-lines'
import { Sheet } from './sheet'
import { TagTree } from './tag-tree'
import { heightTogether, placeTail } from './tail'
import { openTheme } from './theme'
import type { Totals } from '../data/totals'

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
 * EngineError `options_invalid` for characters that no font has, and for a logo that isn't an image.
 */
export async function drawInvoice(invoice: Invoice, circumstances: Circumstances): Promise<PdfDocument> {
  const { document, sheet } = await drawWith(invoice, circumstances, { isTight: false })
  if (sheet.pageCount !== 2 || sheet.overflowPt > MOST_OVERFLOW) return document
  const tight = await drawWith(invoice, circumstances, { isTight: true })
  return tight.sheet.pageCount === 1 ? tight.document : document
}

/** Maximum height, in points, that smaller distances can save on a page. */
const MOST_OVERFLOW = 90

async function drawWith(
  invoice: Invoice,
  { totals, logo, limits, now }: Circumstances,
  { isTight }: { isTight: boolean },
): Promise<{ document: PdfDocument; sheet: Sheet }> {
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
    sheet: new Sheet(document, openTheme(invoice, isTight), { tags, isRightToLeft: isMirrored }),
    logo: logo && embedImage(document, logo, 'logo'),
  }
  await drawAll(draft)
  describeDocument(document, draft, isMirrored)
  return { document, sheet: draft.sheet }
}

async function drawAll(draft: Draft): Promise<void> {
  const { sheet, invoice, labels } = draft
  sheet.onNewPage = () => drawContinuationHeader(draft)
  await placeMasthead(draft)
  await placeParties(draft)
  const table = sheet.tags.add('Table')
  const section = sheet.tags.add('Sect')
  const { terms = '', attachments = [] } = invoice
  const parts = [
    ...(await setClosing(draft, section)),
    ...(await setPayment(draft, section)),
    ...(await setParagraphs(draft, {
      heading: labels.terms,
      texts: terms.trim() ? [{ text: terms, param: 'terms' }] : [],
      parent: section,
    })),
    ...(await setParagraphs(draft, {
      heading: labels.attachments,
      texts: attachments.map(({ id, description, url }, index) => ({
        text: [id, description, url].filter(text => text?.trim()).join(' · '),
        param: `attachments[${index}]`,
      })),
      parent: section,
    })),
  ]
  await placeItems(draft, table, heightTogether(sheet, parts))
  placeTail(sheet, parts)
  await placePaymentSlip(draft, section)
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

/**
 * What decides if the PDF of an invoice conforms. Texts and numbers don't, because each of their glyphs, strings and
 * structure elements is written in the same way.
 */
export function listParts(
  document: PdfDocument,
  { template, pageSize, qr, locale, payment, items }: Invoice,
): string[] {
  return [
    template,
    pageSize,
    `qr ${qr}`,
    isRightToLeft(locale) ? 'mirrored' : 'left to right',
    document.pageCount > 1 ? 'pages' : 'page',
    payment?.link ? 'link' : 'no link',
    items.some(({ section }) => section?.trim()) ? 'sections' : 'no sections',
    // The image of the logo, by its color space, transparency and depth.
    ...document.saving.addedFeatures,
    ...fontsOf(document).names,
  ]
}
