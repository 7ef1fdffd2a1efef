import type { Preset } from '../../../../engines/redaction/rules/presets'
import { passesLuhn, writeValue } from './preset-writers'
import type { Random } from './random'

/** What looks like a value of a preset and is none; where it takes one, with words around it. */
export function lookAlike(preset: Preset, random: Random): [value: string] | [value: string, before: string, behind: string] {
  const other = OTHERS[preset]
  if (other && random.next() < CROSSED) return [writeValue(random.pick(other), random)]
  const [before, form, behind] = split(random.pick(FORMS[preset])).map(part => (part.includes('#') && preset !== 'credit-card' ? random.fill(part) : part)) as [string, string, string]
  const filled = preset === 'credit-card' && before === '' ? fillWrong(form, random) : random.fill(form)
  return before === '' && behind === '' ? [filled] : [filled, before, behind]
}

/** `before {form} behind`, or a form alone. */
function split(given: string): [before: string, form: string, behind: string] {
  const [, before = '', form = given, behind = ''] = /^([^{]*)\{([^}]*)\}(.*)$/s.exec(given) ?? []
  return [before, form, behind]
}

function fillWrong(form: string, random: Random): string {
  for (;;) {
    const filled = random.fill(form)
    const digits = filled.replace(/\D/g, '')
    if (!Array.from({ length: 7 }, (_, index) => digits.slice(0, 13 + index)).some(part => passesLuhn(part))) return filled
  }
}

/** Values of other presets that a preset must not take for its own. */
const OTHERS: Partial<Record<Preset, readonly Preset[]>> = {
  phone: ['date', 'iban', 'credit-card', 'ipv4'],
  ssn: ['date', 'credit-card', 'iban', 'ipv4'],
  date: ['phone', 'ipv4', 'iban', 'credit-card'],
  'credit-card': ['phone', 'iban', 'date'],
  iban: ['vat-id', 'phone', 'date'],
  'vat-id': ['iban', 'phone'],
  ipv4: ['date', 'phone'],
  ipv6: ['date', 'ipv4'],
  email: ['url'],
}

/** Share of look-alikes that are values of other presets. */
const CROSSED = 0.3

const FORMS: Record<Preset, readonly string[]> = {
  email: ['user@', '@handle', 'a@b', 'meet @ noon', 'jane at example dot com', 'look (at) this', 'x = [at] 5', 'price @ 5.00', 'example.com', 'C@t', '5 @ 3.50 each', 'foo@bar', 'at [dot] here', 'user @ example', 'name@.com', '@@example', 'rate @ 4.5 %', 'see [dot] and (at)'],
  phone: [
    '{####-##-##} is the date', '#π.0π.20##', '0π-0π-20##', '0π.0π.20##', '1.###.###', '###.###.###,##', '# ### ###', '{π## ### ###} EUR', 'EUR {ν## ### ###}', '$ {ν##,###,###}', '{6## ### ###} inhabitants', 'item 471####', 'Invoice {2024-00####}', 'Invoice No. {ν##-ν##-####}', 'order no. {0###-#####}', 'Order {0171 ######}',
    'ISBN {978-3-16-14####-0}', 'ISBN {0-306-4####-2}', 'version {1.##.###}', 'version {2.0.####.#}', 'Part no. {04##-#####-##}', 'SKU {0800-###-##}', 'DE8# 3704 0044 0532 0130 0#', '192.168.##.##', '10.0.##.###', '#### #### #### ####', '{#######}', '{########} units', '12:30:45', '2019 2020 2021 2022', '{20##-20##} season', '1 000 000', '3.14159265', '0,0#### m', '0.0######', 'page {12-34}', '{12}/34', '{04-2024-00###}', '00-00-##', 'pp. {101-1##}', '{##} of ##', 'BX-0###-####A', '50 x 70 cm', '(20##) ### F.3d ###', 'AB{0##-###-####}', 'ref. {0## ### ####}', '4{##-##-##}', '§ {##.###}', '{0##} % of ####', '1-2-3-4-5-6-7', '-###.##', '####-####-##', 'No. {##/####}', 'a total of {6## ### ###}', 'SIREN {5## ### ###}', 'docket {030/######}', 'Az. {030/######}', 'lot {0664 #######}', 'about {7## ### ###} cells', 'Konto {0#########}', 'Aktenzeichen {0171-#######}'],
  iban: ['DE88 3704 0044 0532 0130 00', 'ZZ8# 3704 0044', 'DE## 3704', 'GB00 NWBK 6016 1331 9268 1#', 'AB12 CD34 EF56', 'DE## #### #### #### ####', 'INV2024 0001 0002 ####', 'FR## #### ####', 'XX{##############}', 'IT0# A### ####', 'NO9# #### ###', 'DE{##################A}', 'part AT{12 3456 7890 1###}', 'CH{12 345}', 'PL1-22-333-####', 'model ES{12-34-56}'],
  'credit-card': ['4### #### #### ####', '5π##-####-####-####', '4###############', '34## ###### #####', '1### #### #### ####', '9### #### #### ####', '0### #### #### ####', '2019 2020 2021 2022', '7############', '6### #### #### ###', '37##########', '978316148####', '3### ###### #####', '1#############', '4###.####.####.####', 'Order {4###############}', 'tracking {6###############}'],
  ssn: ['000-##-####', '666-##-####', '9##-##-####', '###-00-####', '###-##-0000', '1###-##-####', '###-##-####-#', '###-###-###', '##-###-####', 'order {#########}', 'Invoice no. {#########}', '$ {#########}', '{#########} EUR', 'ISBN {#########}X', '{#########}.##', '000######', '666######', '9########', 'tracking number {#########}', '##########', '########', 'Ref: {#########}', 'A#########', '###-##-###', '###.##.##', '##-##-####', 'serial {#########}', '#########,##', 'about {2########} results', 'account {#########}', 'id {#########}', 'a sum of {1########}', 'Konto {#########}'],
  date: ['99.99.20##', '2026-13-45', '2024-00-1#', '32.01.2024', '45/67/2024', '1.2.3', 'version {1.2.2024}', 'version {10.4.12}', '192.168.1.##', '1.##.###', '10:30:45', 'may 5 people', 'March on', 'section {12.10.22}', '2024', '12/2024', '5 of 12', '0.5.99', '13-14-9999', '12.11.5000', '####-###-##', '1/2', '3-4-5', '13-24-30', '20.30.40', '99-12-345', 'ISBN 978-3-16-14####-0', '##,##,####', 'Dec 45, 20##', '4 marchers 2020', '55 May 2020', '10-20-30', 'row {01.02.03}', 'combination {12-07-45}'],
  url: ['example.com', 'http:', 'https', 'www', 'mail.example.org', 'http//example', 'file.txt', 'a://b', 'index.html', '://', 'www example com', 'httpd.conf', 'wwwexample', 'C:/temp/file', 'and/or', 'node.js', 'e.g.this', '1/2/3', 'mailto jane', 'ftp server'],
  ipv4: ['300.1.1.#', '1.2.3', '1.2.3.4.#', '256.##.##.#', 'version {1.2.3.#}', 'v{1.2.3.#}', '1.2.3.456', '12.34.5678.9', '999.999.999.999', '1,2,3,4', '1.2.3.', 'release {10.0.1.#}', '1..2.3', '####.1.1.1', '0.5.6', '20.11.2026', '1.234.567', 'A{1.2.3.4}B', '§ {1.2.3.#}', '10.20.30', 'OID {1.3.6.#}', 'firmware-{2.0.1.#}', 'chapter {1.2.3.#}'],
  ipv6: ['12:30', '1:2:3', '::', '12:30:45', 'a:b', 'std::vector', 'foo::bar', '1:2:3:4:5:6:7:8:9', 'abcd', '00:1A:2B:3C:4D:5E', 'ab:cd:ef', '10:20:30:40', 'dead', 'fffff::1ffff:', 'g::1', '1::2::3', '12345::1', 'John 3:16', '1:100000', 'ratio 3:4:5'],
  'vat-id': ['DE12345', 'XX#########', 'DE##########', 'ATU#######', 'NL#########C01', 'FR####', 'IT####', 'DE', 'GB1#', 'PL123', 'BE9###.###.###', 'CHE-###', 'DE#########A', 'ADE#########', 'ES########', 'model DK{#######}', 'SE##########99', 'PO IE{##}', 'room AT{###}', 'EU##', 'US#########', 'FI#', 'NO#########', 'LU 12 34', 'CZ{####}', 'RO {####}', 'flight AT{########}'],
  zip: ['####', '######', '#####.##', '3-#####', 'AB#####', '#####A', '#####,##', '1,#####', '###-##', '#####-###', '#####-#####', '#######', '####-####', '#####/#', '0.#####', '###', '2024-#####', '#####.5', 'X#####', '##,###', '{#####} units', 'paid {#####} euros', 'case {#####}', 'a total of {#####}', 'PLZ {#####}'],
}
