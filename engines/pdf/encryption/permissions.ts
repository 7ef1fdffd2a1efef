/** What readers allow if a file was opened with the user password (ISO 32000-2, table 22). */
export interface Permissions {
  print: 'high' | 'low' | 'none'
  modify: boolean
  copy: boolean
  annotate: boolean
  fillForms: boolean
  assemble: boolean
}

/** Reserved bits that must be 1, and bit 10: assistive technology may always read the text. */
const ALWAYS = 0xff_ff_f2_c0 | 0

const BIT = { print: 1 << 2, modify: 1 << 3, copy: 1 << 4, annotate: 1 << 5, fillForms: 1 << 8 } as const
const ASSEMBLE = 1 << 10
const PRINT_HIGH = 1 << 11

/** Writes permissions as the value of /P, a signed 32-bit integer. */
export function writePermissions(allowed: Permissions): number {
  let bits = ALWAYS
  if (allowed.print !== 'none') bits |= BIT.print
  if (allowed.print === 'high') bits |= PRINT_HIGH
  if (allowed.modify) bits |= BIT.modify
  if (allowed.copy) bits |= BIT.copy
  if (allowed.annotate) bits |= BIT.annotate
  if (allowed.fillForms) bits |= BIT.fillForms
  if (allowed.assemble) bits |= ASSEMBLE
  return bits
}
