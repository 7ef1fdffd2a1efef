import { describe, expect, it } from 'vitest'
import {
  groupIban,
  isBic,
  isCreditorReference,
  isIban,
  isQrIban,
  isQrReference,
} from '../../../../../engines/features/invoice/data/payment-codes'

describe('payment codes', () => {
  it.each([
    'DE89370400440532013000',
    'CH9300762011623852957',
    'GB82WEST12345698765432',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
  ])('%s is an IBAN', iban => {
    expect(isIban(iban)).toBe(true)
    expect(isIban(`${iban.slice(0, -1)}${iban.endsWith('0') ? '1' : '0'}`)).toBe(false)
  })

  it('include valid BICs only', () => {
    expect(['COBADEFF', 'COBADEFFXXX', 'UBSWCHZH80A'].every(isBic)).toBe(true)
    expect(['COBADEF', 'COBADEFFXX', 'COBA1EFF'].some(isBic)).toBe(false)
  })

  it('check references of both kinds', () => {
    expect(isCreditorReference('RF18539007547034')).toBe(true)
    expect(isCreditorReference('RF19539007547034')).toBe(false)
    expect(isQrReference('210000000003139471430009017')).toBe(true)
    expect(isQrReference('210000000003139471430009018')).toBe(false)
    expect(isQrReference('21000000000313947143000901')).toBe(false)
    expect(isQrReference('000000000003139471430009018')).toBe(true)
    expect(isQrReference('00000000003139471430009018')).toBe(false)
  })

  it('include the Swiss accounts that need a QR reference', () => {
    expect(isQrIban('CH4431999123000889012')).toBe(true)
    expect(isQrIban('CH9300762011623852957')).toBe(false)
  })

  it('are written in groups of four', () => expect(groupIban('NO9386011117947')).toBe('NO93 8601 1117 947'))
})
