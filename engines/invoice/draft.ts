import type { EmbeddedImage } from '../pdf-core/images'
import type { Formats } from './formats'
import type { Invoice } from './invoice'
import type { Labels } from './labels'
import type { LineSetter } from './line-setter'
import type { Sheet } from './sheet'
import type { Totals } from './totals'

/** An invoice while it is drawn: what it says, how it is written, and where it stands. */
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
