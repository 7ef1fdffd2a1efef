import type { Stripe } from 'stripe'
import * as z from 'zod'

const billingSchema = z.object({
  name: z.string(),
  email: z.string().optional(),
  addressLines: z.array(z.string()),
  taxId: z.string().optional(),
})

/** The buyer's details, as entered at Stripe. */
export type Billing = z.infer<typeof billingSchema>

/** Returns the buyer's details of a session as text, for the invoice. */
export function writeBilling(details: Stripe.Checkout.Session.CustomerDetails | null): string {
  const address = details?.address
  const town = [address?.postal_code, address?.city, address?.state].filter(isFilled).join(' ')
  const taxIds = (details?.tax_ids ?? []).flatMap(({ value }) => (isFilled(value) ? [value] : []))
  const billing: Billing = {
    name: details?.business_name ?? details?.name ?? details?.email ?? '',
    ...(isFilled(details?.email) ? { email: details.email } : {}),
    addressLines: [address?.line1, address?.line2, town, address?.country].filter(isFilled),
    ...(taxIds.length > 0 ? { taxId: taxIds.join(', ') } : {}),
  }
  return JSON.stringify(billing)
}

/** Parses the text from `writeBilling`. */
export function readBilling(billingText: string | null): Billing {
  return billingText === null ? { name: '', addressLines: [] } : billingSchema.parse(JSON.parse(billingText))
}

function isFilled(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.trim() !== ''
}
