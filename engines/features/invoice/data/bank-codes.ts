import { lineField } from './fields'

interface Kind {
  meaning: string
  rule: string
  isValid(compact: string): boolean
  /** Writes the code as people do. Default: as it is. */
  write?(compact: string): string
}

/** Codes of banks by the fields of an account. An account has at most one of them. */
const KINDS = {
  routingNumber: {
    meaning: 'Routing number of a bank in the United States.',
    rule: 'must be an ABA routing number of 9 digits with a valid check digit.',
    isValid: isRoutingNumber,
  },
  sortCode: {
    meaning: 'Sort code of a bank in the United Kingdom.',
    rule: 'must be a sort code of 6 digits, such as 20-00-00.',
    isValid: text => /^\d{6}$/.test(text),
    write: text => text.replace(/(\d\d)(?=\d)/g, '$1-'),
  },
  ifsc: {
    meaning: 'IFSC of a bank branch in India.',
    rule: 'must be an IFSC with 4 letters, a 0, and 6 letters or digits, such as HDFC0000123.',
    isValid: text => /^[A-Z]{4}0[A-Z0-9]{6}$/.test(text),
  },
  bsb: {
    meaning: 'BSB of a bank branch in Australia.',
    rule: 'must be a BSB of 6 digits, such as 062-000.',
    isValid: text => /^\d{6}$/.test(text),
    write: text => text.replace(/(?<=^\d{3})/, '-'),
  },
} satisfies Record<string, Kind>

type BankCodeName = keyof typeof KINDS

type BankCodes = { [Name in BankCodeName]?: string | undefined }

const NAMES = Object.keys(KINDS) as BankCodeName[] // The literal has exactly these keys.

function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false
  return (
    Array.from(text, (digit, index) => Number(digit) * ([3, 7, 1][index % 3] ?? 0)).reduce((a, b) => a + b) % 10 === 0
  )
}

function compactCode(text: string): string {
  return text.replace(/[\s-]+/g, '').toUpperCase()
}

function codeField(name: BankCodeName) {
  const { meaning, rule, isValid }: Kind = KINDS[name]
  return lineField(`${meaning} Goes with \`accountNumber\`.`).transform(compactCode).refine(isValid, rule).optional()
}

/** The fields for codes of banks. */
export const bankCodeFields = Object.fromEntries(NAMES.map(name => [name, codeField(name)])) as Record<
  BankCodeName,
  ReturnType<typeof codeField>
> // The object has an entry for each name.

/** Lists the codes of an account. Each name is a field and a label. */
export function listBankCodes(account: BankCodes): { name: BankCodeName; code: string; printed: string }[] {
  return NAMES.flatMap(name => {
    const code = account[name]
    const { write }: Kind = KINDS[name]
    return code === undefined ? [] : [{ name, code, printed: write?.(code) ?? code }]
  })
}

/** Returns the field for the bank identifier of an electronic invoice that isn't a BIC. Undefined if none fits. */
export function findBankCode(text: string, currency: string | undefined): BankCodeName | undefined {
  const fitting = NAMES.filter(name => KINDS[name].isValid(compactCode(text)))
  return currency === 'AUD' ? fitting.at(-1) : fitting[0]
}
