import type { EmbeddedImage } from '../../../pdf/images'
import type { Formats } from '../data/formats'
import type { Invoice } from '../data/invoice'
import type { Labels } from '../data/labels'
import type { LineSetter } from './line-setter'
import type { Sheet } from './sheet'
import type { Totals } from '../data/totals'

/** The state of an invoice while it is drawn. */
export interface Draft {
  invoice: Invoice
  /** YYYY-MM-DD. */
  issueDate: string
  totals: Totals
  labels: Labels
  formats: Formats
  setter: LineSetter
  sheet: Sheet
  logo: EmbeddedImage | undefined
}
