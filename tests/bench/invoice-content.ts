import { startRandom } from './make-files'

/** The content of a sample invoice, as texts that every program draws as they are. */
export interface InvoiceContent {
  number: string
  issueDate: string
  dueDate: string
  from: Party
  billTo: Party
  lines: { description: string; quantity: string; rate: string; amount: string }[]
  subtotal: string
  /** The label and the amount. */
  tax: [string, string]
  total: string
  notes: string
  /** The request for the invoice generator. */
  request: Record<string, unknown>
}

interface Party {
  name: string
  addressLines: string[]
  email: string
}

const FROM: Party = {
  name: 'Quill & Sons Ltd',
  addressLines: ['1 Paper Lane', 'Bristol BS1 4DJ', 'United Kingdom'],
  email: 'accounts@quill.example',
}
const CUSTOMERS = [
  'Ada Lovelace',
  'Northwind Traders',
  'Øresund Boats ApS',
  'Café Zürich',
  'Kwik & Flupke BV',
  'Żabka Sp.',
]
const WORDS = (
  'binding book cloth color copies cover delivery design draft edition envelope foil folder glue hardback index insert ' +
  'jacket label layout leather letterhead linen margin paper poster print proof ribbon sample sheet spine stamp thread ' +
  'vellum volume workshop'
).split(' ')
const TAX_PERCENT = 19

/** Makes an invoice with this number of lines. Each seed has other words, quantities and prices. */
export function makeInvoiceContent(lineCount: number, seed: number): InvoiceContent {
  const random = startRandom(seed)
  const number = `2026-${String(seed).padStart(5, '0')}`
  const billTo = {
    name: CUSTOMERS[random() % CUSTOMERS.length] ?? '',
    addressLines: [`${1 + (random() % 200)} Market Street`, 'London SW1Y 4JH'],
    email: `orders-${seed}@customer.example`,
  }
  const items = Array.from({ length: lineCount }, (_, index) => ({
    description: `${index + 1}. ${Array.from({ length: 5 }, () => WORDS[random() % WORDS.length]).join(' ')}`,
    quantity: 1 + (random() % 40),
    cents: 100 + (random() % 100_000),
  }))
  const subtotal = items.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0)
  const tax = Math.round((subtotal * TAX_PERCENT) / 100)
  const notes = 'Payment within 30 days. Thank you for your order.'
  return {
    number,
    issueDate: 'Nov 25, 2026',
    dueDate: 'Dec 25, 2026',
    from: FROM,
    billTo,
    lines: items.map(({ description, quantity, cents }) => ({
      description,
      quantity: String(quantity),
      rate: writeMoney(cents),
      amount: writeMoney(quantity * cents),
    })),
    subtotal: writeMoney(subtotal),
    tax: [`Tax (${TAX_PERCENT}%)`, writeMoney(tax)],
    total: writeMoney(subtotal + tax),
    notes,
    request: {
      invoiceNumber: number,
      issueDate: '2026-11-25',
      dueDate: '2026-12-25',
      currency: 'EUR',
      taxRate: TAX_PERCENT / 100,
      from: FROM,
      billTo,
      items: items.map(({ description, quantity, cents }) => ({ description, quantity, rate: cents / 100 })),
      notes,
    },
  }
}

/** Returns the texts of an invoice that a program's pages lack. Spaces don't count, because programs break lines. */
export function listMissingTexts(content: InvoiceContent, pageTexts: string[]): string[] {
  const { from, billTo, lines, number, issueDate, dueDate, subtotal, tax, total, notes } = content
  const drawn = withoutSpaces(pageTexts.join('\n'))
  const texts = [
    ...[from, billTo].flatMap(({ name, addressLines, email }) => [name, ...addressLines, email]),
    ...lines.flatMap(({ description, quantity, rate, amount }) => [description, quantity, rate, amount]),
    ...[number, issueDate, dueDate, subtotal, ...tax, total, notes],
    ...pageTexts.map((_, index) => `Page ${index + 1} of ${pageTexts.length}`),
  ]
  return texts.filter(text => !drawn.includes(withoutSpaces(text)))
}

function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '').normalize('NFC')
}

const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })

function writeMoney(cents: number): string {
  return money.format(cents / 100)
}
