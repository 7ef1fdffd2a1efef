import type { Preset } from '../../../../../engines/features/redaction/search-rules/presets'
import type { Random } from './random'

/** Returns a value of a preset in one of the forms in which people write it. */
export function writeValue(preset: Preset, random: Random): string {
  return WRITERS[preset](random)
}

const NAMES = [
  'jane',
  'doe',
  'mueller',
  'garcia',
  'rossi',
  'smith',
  'kowalski',
  'andersson',
  'silva',
  'tanaka',
  'obrien',
  'dubois',
]
const HOSTS = ['example', 'mail.example', 'law-firm', 'uni-koeln', 'court.gov', 'bbc.co', 'firma', 'studio7', 'post']
const ENDS = ['com', 'org', 'net', 'de', 'fr', 'es', 'it', 'co.uk', 'ch', 'at', 'nl', 'eu', 'io']
const DASHES = ['-', '\u2010', '\u2011', '\u2013']
const SPACES = [' ', '\u00a0', '\u2009', '\u202f']

const WRITERS: Record<Preset, (random: Random) => string> = {
  email: writeEmail,
  phone: random =>
    random
      .fill(random.pick(PHONES))
      .replaceAll(' ', random.pick([' ', ' ', ' ', '\u00a0']))
      .replaceAll('-', random.pick(['-', '-', '\u2011', '\u2013'])),
  iban: random => group(random, writeIban(random), [4, 4, 4, 4, 4, 4, 4, 4, 4]),
  'credit-card': random => group(random, writeCard(random), [4, 4, 4, 4, 4]),
  ssn: random => {
    const parts = [
      random.pick([random.digits(3, '12345'), `0${random.digits(2, '123456789')}`, random.digits(3, '78')]),
      `${random.whole(1, 99)}`.padStart(2, '0'),
      `${random.whole(1, 9999)}`.padStart(4, '0'),
    ]
    return parts.join(random.pick(['-', '-', '\u2011', '\u2013', ' ', '\u00a0', '.', '', '']))
  },
  date: writeDate,
  url: writeUrl,
  ipv4: random => Array.from({ length: 4 }, () => random.whole(0, 255)).join('.'),
  ipv6: random => {
    const groups = Array.from({ length: 8 }, () => random.whole(0x10, 0xffff).toString(16))
    return random.pick([
      groups.join(':'),
      `${groups.slice(0, 3).join(':')}::${groups[3]}`,
      `2001:db8::${groups[0]}`,
      `fe80::${groups.slice(0, 4).join(':')}`,
      groups.join(':').toUpperCase(),
    ])
  },
  'vat-id': random =>
    random.fill(
      random.pick([
        'DE#########',
        'DE ### ### ###',
        'ATU########',
        'FR## #########',
        'FR ## ### ### ###',
        'NL#########B0π',
        'BE0###.###.###',
        'BE 0### ### ###',
        'IT###########',
        'ESB#######π',
        'ES B########',
        'PL##########',
        'PL ### ### ## ##',
        'GB### #### ##',
        'GB#########',
        'CHE-###.###.### MWST',
        'CHE-###.###.###',
        'SE##########01',
        'DK########',
        'DK ## ## ## ##',
        'FI########',
        'IE#######α',
        'PT#########',
        'NO#########MVA',
        'NO ### ### ### MVA',
        'CZ########',
        'LU########',
      ]),
    ),
  zip: random =>
    random.pick([
      random.digits(5),
      random.digits(5),
      `${random.digits(5)}-${random.digits(4)}`,
      `${random.digits(5)}\u2011${random.digits(4)}`,
    ]),
}

/** Forms of phone numbers, with a country code and in the national formats. */
const PHONES = [
  '+1 ν## ν## ####',
  '+1-ν##-ν##-####',
  '+1 (ν##) ν##-####',
  '(ν##) ν##-####',
  'ν##-ν##-####',
  'ν##.ν##.####',
  '1-ν##-ν##-####',
  '(ν##) ν##-#### ext. ###',
  '+44 20 #### ####',
  '+44 (0)20 #### ####',
  '020 7### ####',
  '0161 496 ####',
  '01632 96####',
  '07### ######',
  '07#########',
  '(01632) 960 ###',
  '+49 30 #######',
  '+49 (0)89 ######',
  '0049 171 #######',
  '030 #######',
  '030/######',
  '0171-#######',
  '089 / ### ## ##',
  '(0221) ######',
  '0221 ######-##',
  '+33 1 ## ## ## ##',
  '+33 (0)6 ## ## ## ##',
  '01 ## ## ## ##',
  '06.##.##.##.##',
  '06########',
  '+34 6## ### ###',
  '91 ### ## ##',
  '6## ## ## ##',
  '+39 06 #### ####',
  '+39 3## ### ####',
  '06 ########',
  '02-#######',
  '34# #######',
  '+31 6 ########',
  '06-########',
  '020 ### ####',
  '010-#######',
  '+32 2 ### ## ##',
  '02 ### ## ##',
  '047#/##.##.##',
  '+41 44 ### ## ##',
  '044 ### ## ##',
  '079 ### ## ##',
  '+43 1 #######',
  '0664 #######',
  '0512/######',
  '+48 5## ### ###',
  '22 ### ## ##',
  '+46 8 ### ### ##',
  '08-### ### ##',
  '070-### ## ##',
  '+47 ## ## ## ##',
  '22 ## ## ##',
  '9## ## ###',
  '+45 ## ## ## ##',
  '3# ## ## ##',
  '+358 40 ### ####',
  '040 ### ####',
  '+351 21 ### ####',
  '21 ### ####',
  '+353 1 ### ####',
  '085 ### ####',
  '+61 2 #### ####',
  '(02) #### ####',
  '04## ### ###',
  '1300 ### ###',
  '+49(0)30/######',
  '(+49) 30 #######',
  '+49-30-######-##',
  '+1.ν##.ν##.####',
  '+44 (20) 7### ####',
  '0049-(0)30-######',
  '(030) ## ## ## - ##',
  '0 30 / ## ## ## ##',
  '030#######',
  'ν##-####',
  '+33(0)1########',
  '0041 (44) ### ## ##',
  '+351-21#######',
  '+46(0)8-### ## ##',
  '(0)20 7### ####',
  '+91 98### #####',
  '98### #####',
  '+55 11 9####-####',
  '(11) 9####-####',
  '+81 3-####-####',
  '03-####-####',
  '090-####-####',
  '+7 495 ###-##-##',
  '8 (495) ###-##-##',
  '+86 138 #### ####',
]

/** A number in these groups or other groups, with a separator that people use. */
function group(random: Random, number: string, usual: readonly number[]): string {
  const separator = random.pick(['', ...SPACES, ...DASHES, '.', '\n'])
  if (separator === '') return random.next() < 0.2 ? number.toLowerCase() : number
  const sizes =
    separator === '\n'
      ? [8, 40]
      : random.pick([usual, usual, [4, 6, 5, 19, 19], Array.from({ length: 20 }, () => random.whole(2, 5))])
  const groups: string[] = []
  for (let at = 0, index = 0; at < number.length; at += sizes[index++] as number)
    groups.push(number.slice(at, at + (sizes[index] as number)))
  return groups.join(separator)
}

/** Countries and the digits or letters after their check digits. */
const IBANS: [country: string, form: string][] = [
  ['DE', '#'.repeat(18)],
  ['FR', '#'.repeat(23)],
  ['GB', `αααα${'#'.repeat(14)}`],
  ['NL', `αααα${'#'.repeat(10)}`],
  ['ES', '#'.repeat(20)],
  ['IT', `α${'#'.repeat(22)}`],
  ['CH', '#'.repeat(17)],
  ['AT', '#'.repeat(16)],
  ['BE', '#'.repeat(12)],
  ['NO', '#'.repeat(11)],
  ['PL', '#'.repeat(24)],
  ['SE', '#'.repeat(20)],
  ['IE', `αααα${'#'.repeat(14)}`],
  ['PT', '#'.repeat(21)],
]

function writeIban(random: Random): string {
  const [country, form] = random.pick(IBANS)
  const account = random.fill(form)
  const digits = Array.from(`${account}${country}00`, sign => String(Number.parseInt(sign, 36))).join('')
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`
}

function writeCard(random: Random): string {
  const [start, length] = random.pick([
    ['4', 16],
    ['51', 16],
    ['55', 16],
    ['2221', 16],
    ['34', 15],
    ['37', 15],
    ['36', 14],
    ['6011', 16],
    ['65', 16],
    ['3530', 16],
    ['62', 16],
    ['4', 13],
  ] as const)
  const body = start + random.digits(length - start.length - 1)
  for (let check = 0; check < 10; check++) if (passesLuhn(`${body}${check}`)) return `${body}${check}`
  throw new Error('no check digit')
}

/** Checks the Luhn digit as defined in ISO/IEC 7812-1, annex B. */
export function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

function writeEmail(random: Random): string {
  const [first, second] = [random.pick(NAMES), random.pick(NAMES)]
  const local = random.pick([
    `${first}.${second}`,
    `${first}_${second}`,
    `${first}${random.whole(1, 99)}`,
    `${first.charAt(0)}.${second}`,
    `${first}+${second}`,
    `info`,
    `${first}.o'${second}`,
    `${first.toUpperCase()}.${second.toUpperCase()}`,
    `${first}-${second}`,
  ])
  const domain = `${random.pick(HOSTS)}.${random.pick(ENDS)}`
  const at = random.pick([
    '@',
    '@',
    '@',
    ' [at] ',
    '[at]',
    '(at)',
    ' (at) ',
    '{at}',
    '@\n',
    '\n@',
    ' (AT) ',
    '[@]',
    ' at ',
  ])
  const isSpelled = /at/i.test(at)
  const dot = isSpelled
    ? random.pick([' [dot] ', '[dot]', '(dot)', '.', ' (dot) ', '[punkt]'])
    : random.pick(['.', '.', '.', '.\n'])
  const end = domain.lastIndexOf('.')
  return `${local}${at}${domain.slice(0, end)}${dot}${domain.slice(end + 1)}`
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
  'Januar',
  'März',
  'Mai',
  'Dezember',
  'janvier',
  'août',
  'décembre',
  'enero',
  'agosto',
  'gennaio',
  'maggio',
  'março',
  'maart',
  'stycznia',
  'maj',
  'tammikuuta',
  'Sept',
  'Oct',
  'Dez',
]

function writeDate(random: Random): string {
  const [year, month, day] = [random.whole(1930, 2035), random.whole(1, 12), random.whole(1, 28)]
  const two = (number: number): string => String(number).padStart(2, '0')
  const [iso, name, time] = [
    `${year}-${two(month)}-${two(day)}`,
    random.pick(MONTHS),
    `${two(random.whole(0, 23))}:${two(random.whole(0, 59))}`,
  ]
  return random.pick([
    iso,
    iso.replaceAll('-', '\u2011'),
    `${iso}T${time}:30Z`,
    `${iso} ${time}`,
    `${iso}T${time}:07.123+01:00`,
    `${two(day)}.${two(month)}.${year}`,
    `${day}.${month}.${year}`,
    `${day}. ${month}. ${year}`,
    `${two(day)}/${two(month)}/${year}`,
    `${month}/${day}/${year}`,
    `${month}/${day}/${two(year % 100)}`,
    `${two(day)}.${two(month)}.${two(year % 100)}`,
    `${year}/${two(month)}/${two(day)}`,
    `${day} ${name} ${year}`,
    `${day}. ${name} ${year}`,
    `${name} ${day}, ${year}`,
    `${day} de enero de ${year}`,
    `${day}th of May ${year}`,
    `${two(day)}-Mar-${year}`,
    `1er juillet ${year}`,
    `${day}\nMarch ${year}`,
    `${year}年${month}月${day}日`,
    `${year}${two(month)}${two(day)}`,
    `${two(day)} ${two(month)} ${year}`,
    `the ${day}th day of March, ${year}`,
  ])
}

function writeUrl(random: Random): string {
  const host = `${random.pick(['www.', ''])}${random.pick(HOSTS)}.${random.pick(ENDS)}`
  const scheme = random.pick(['https://', 'http://', 'ftp://'])
  const start = host.startsWith('www.') && random.next() < 0.4 ? host : `${scheme}${host}`
  return (
    start +
    random.pick([
      '',
      '/',
      '/reports',
      '/reports/2024/annual.pdf',
      '/search?q=name&page=2',
      '/a/b#part-2',
      ':8080/index.html',
      '/reports/\n2024/annual.pdf',
      '/search?q=name&\npage=2',
      '/annual-\nreport.pdf',
      '/reports\n/annual-report',
      '/case?id=\n4711',
      '/long/path/file-na\nme-2024.html',
      '/docs/guide.\nhtml',
      '/wiki/Act_(2004)',
      '/reports\n.html',
      '/a/~jane/%20x',
      '/annualre\nport.pdf',
      '/a,b;c=1',
      '/Reports/\nAnnual',
    ])
  )
}
