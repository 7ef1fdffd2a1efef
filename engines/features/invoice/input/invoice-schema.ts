import { invoiceFields } from '../data/invoice'
import { checkInvoice } from './check-invoice'

/** An invoice with the constraints between its fields. They take too long for the process that serves requests. */
export const invoiceSchema = invoiceFields.superRefine(checkInvoice)
