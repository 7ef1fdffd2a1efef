import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import * as z from 'zod'
import type { EngineLimits } from '../engines/types'
import { type Allowed, readAllowedHosts } from '../engines/webpage/request/page-source'
import { singleton } from './registry'

const MIB = 2 ** 20

const integer = (fallback: number, least = 1) => z.coerce.number().int().min(least).default(fallback)
const PORT_RULE = 'must be a port from 1 to 65535, or 0 for any free port'
const port = () => z.coerce.number(PORT_RULE).int(PORT_RULE).min(0, PORT_RULE).max(65_535, PORT_RULE)
const OTLP_RULE = 'must be http/json. Collectors receive OTLP over HTTP on port 4318 by default'
const SMTP_RULE = 'must be a URL such as smtp://user:password@mail.example.com:587'
/** Moments at which a test can end the server. See lib/fail-point.ts. */
const FAIL_POINTS = [
  'charged',
  'delivered',
  'refunding',
  'paid',
  'proof-begun',
  'proof-half-done',
  'proof-done',
] as const
export type FailPoint = (typeof FAIL_POINTS)[number]
const FAIL_POINT_RULE = `must be one of ${FAIL_POINTS.join(', ')}, and optionally a count, such as charged:5`
const text = () => z.string().trim().min(1).optional()

/** Only a test double on this machine may be used without encryption. */
const stripeBase = z
  .url({ protocol: /^https?$/ })
  .optional()
  .superRefine((base, context) => {
    if (base === undefined) return
    const { protocol, hostname } = new URL(base)
    if (protocol === 'http:' && !['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
      context.addIssue({ code: 'custom', message: 'must use https, unless the host is this machine' })
  })

const hostList = text().superRefine((list, context) => {
  try {
    readAllowedHosts(list ?? '')
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
  }
})

const modelFolder = text().superRefine((folder, context) => {
  if (folder === undefined) return
  try {
    if (!readdirSync(folder).some(name => /\.traineddata(\.gz)?$/.test(name)))
      context.addIssue({
        code: 'custom',
        message: `${folder} has no model. Add files such as rus.traineddata or rus.traineddata.gz`,
      })
  } catch {
    context.addIssue({
      code: 'custom',
      message: `${folder} isn't a readable folder. Set a folder with files such as rus.traineddata`,
    })
  }
})

/** Every environment variable of the service. A test compares them with the tables of docs/configuration.md. */
const variables = z.object({
  PORT: port().default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  CACHE_DIR: text(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOLING: z.enum(['session', 'transaction']).default('session'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  NEXTAUTH_SECRET: z.string().min(32).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: SMTP_RULE }).optional(),
  SMTP_TLS: z.enum(['required', 'off']).default('required'),
  MAIL_FROM: text(),
  GITHUB_ID: text(),
  GITHUB_SECRET: text(),
  GOOGLE_ID: text(),
  GOOGLE_SECRET: text(),
  SIGN_UP: z.enum(['open', 'invited', 'closed']).default('open'),
  SIGN_UPS_PER_NETWORK: integer(5),
  GRANT_CAP_PER_DAY: z.coerce.number().int().min(0).optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  DRAIN_DELAY_MS: integer(0, 0),
  STRIPE_SECRET_KEY: text(),
  STRIPE_WEBHOOK_SECRET: text(),
  STRIPE_API_BASE: stripeBase,
  SELLER_NAME: text(),
  SELLER_ADDRESS: text(),
  SELLER_TAX_ID: text(),
  OPERATOR_EMAIL: z.email().optional(),
  TERMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  PRIVACY_URL: z.url({ protocol: /^https?$/ }).optional(),
  SOURCE_URL: z.url({ protocol: /^https?$/ }).optional(),
  CALL_LOG_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  // Longer than usage is shown, and longer than a payment can be returned.
  LEDGER_DAYS: z.coerce.number().int().min(400).optional(),

  MAX_BODY_BYTES: integer(100 * MIB, 1024),
  MAX_FILES: integer(100),
  MAX_PARTS: integer(100),
  MAX_PAGES: integer(10_000),
  MAX_PAGES_OUT: integer(20_000),
  MAX_OBJECTS: integer(500_000),
  MAX_STREAM_INFLATE_BYTES: integer(75_000_000),
  MAX_INFLATE_BYTES: integer(512_000_000),
  MAX_PIXELS: integer(25_000_000),
  BODY_MEMORY_BYTES: integer(512 * MIB),
  SMALL_BODY_BYTES: integer(MIB),
  BODY_STALL_MS: integer(10_000),
  BODY_MIN_RATE: integer(64 * 1024),
  MAX_OUTPUT_BYTES: integer(512 * MIB, MIB),
  OUTPUT_SPOOL_BYTES: integer(4096 * MIB, MIB),
  READ_MIN_RATE: integer(64 * 1024),
  ACCOUNT_SHARE: z.coerce.number().gt(0).max(1).default(0.5),
  ACCOUNT_WAITING: integer(64),
  FAILED_WORK_MS: integer(600_000),
  FREE_FAILED_WORK_MS: integer(60_000),
  KEY_CONCURRENCY: integer(8),
  KEY_RPS: z.coerce.number().positive().optional(),
  MAX_WAITING: integer(1000),
  SLOT_TIMEOUT_MS: integer(30_000),
  OPEN_TIMEOUT_MS: integer(5_000),
  TOOL_TIMEOUT_MS: integer(30_000),
  OCR_PAGE_TIMEOUT_MS: integer(15_000),
  OCR_TIMEOUT_MS: integer(180_000),
  PIPELINE_TIMEOUT_MS: integer(120_000),
  FILES_BY_URL: z.enum(['on', 'off']).default('on'),
  FETCH_FIRST_BYTE_MS: integer(10_000),
  FETCH_TIMEOUT_MS: integer(60_000),
  OCR_LANGUAGES_DIR: modelFolder,
  ENGINE_RSS_MB: integer(1500, 200),
  ENGINES: integer(availableParallelism()),

  WEB_TIMEOUT_MS: integer(60_000, 1000),
  WEB_PAGES: integer(2 * availableParallelism()),
  WEB_PAGE_RSS_MB: integer(1500, 500),
  WEBPAGE_ALLOWED_HOSTS: hostList,
  PUPPETEER_EXECUTABLE_PATH: text(),
  BROWSER_WS_ENDPOINT: z.url({ protocol: /^wss?$/ }).optional(),
  EGRESS_HOST: text(),
  BROWSER_SANDBOX: z.enum(['required', 'preferred']).optional(),

  METRICS_PORT: port().optional(),
  METRICS_HOST: z.string().trim().min(1).default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/json', OTLP_RULE).optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.literal('http/json', OTLP_RULE).optional(),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).optional(),

  TEST_MODE: z.literal('1').optional(),
  CLOCK_OFFSET_MS: z.coerce.number().int().min(-1e12).max(1e12).default(0),
  FAIL_POINT: text().refine(isFailPoint, FAIL_POINT_RULE),
  NOTICES_EVERY_MS: integer(5000, 10),
})

export type Config = z.infer<typeof variables> & {
  /** An absolute path. */
  dataDir: string
  /** Folders of programs, as PATH lists them. */
  searchPath: string
  /** The parsed WEBPAGE_ALLOWED_HOSTS. */
  allowedHosts: Allowed
  /** Whether traces are sent: OpenTelemetry's variables name a collector and don't disable tracing. */
  hasTraces: boolean
  limits: EngineLimits
}

/**
 * Returns the configuration, read from the environment once per process. Throws an Error whose message names each wrong
 * variable and its valid values.
 */
export function getConfig(): Config {
  return singleton('config', () => readConfig(process.env))
}

/** Parses a configuration from a set of variables. Empty variables count as unset. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const setVariables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = variables.safeParse(setVariables)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}.`)
    throw new Error(`Invalid environment variables. ${problems.join(' ')}`)
  }
  const values = parsed.data
  if ((values.BROWSER_WS_ENDPOINT === undefined) !== (values.EGRESS_HOST === undefined)) {
    throw new Error(
      'Invalid environment variables. BROWSER_WS_ENDPOINT and EGRESS_HOST must be set together. EGRESS_HOST is the ' +
        'address at which the remote browser reaches this machine.',
    )
  }
  if (values.METRICS_PORT === undefined && setVariables['METRICS_HOST'] !== undefined) {
    throw new Error(
      'Invalid environment variables. METRICS_HOST: METRICS_PORT must be set too. Set METRICS_PORT, for example to ' +
        '9464, or remove METRICS_HOST.',
    )
  }
  if (values.METRICS_PORT !== undefined && values.METRICS_PORT !== 0 && values.METRICS_PORT === values.PORT) {
    throw new Error(
      `Invalid environment variables. METRICS_PORT: must differ from PORT. Got ${values.METRICS_PORT}. Metrics ` +
        'must not be public.',
    )
  }
  assertNoTestSettings(values)
  assertMail(values)
  assertOutputs(values)
  assertPurchases(values)
  return {
    ...values,
    dataDir: resolve(values.DATA_DIR),
    searchPath: environment['PATH'] ?? '',
    allowedHosts: readAllowedHosts(values.WEBPAGE_ALLOWED_HOSTS ?? ''),
    hasTraces:
      values.OTEL_SDK_DISABLED !== 'true' &&
      (values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined,
    limits: {
      maxPagesIn: values.MAX_PAGES,
      maxPagesOut: values.MAX_PAGES_OUT,
      maxOutputBytes: values.MAX_OUTPUT_BYTES,
      maxObjects: values.MAX_OBJECTS,
      maxStreamBytes: values.MAX_STREAM_INFLATE_BYTES,
      maxInflateBytes: values.MAX_INFLATE_BYTES,
      maxPixels: values.MAX_PIXELS,
      ocrPageTimeoutMs: values.OCR_PAGE_TIMEOUT_MS,
      ...(values.OCR_LANGUAGES_DIR === undefined ? {} : { ocrLanguagesFolder: resolve(values.OCR_LANGUAGES_DIR) }),
    },
  }
}

function isFailPoint(value: string | undefined): boolean {
  if (value === undefined) return true
  const [point, count = '1', ...others] = value.split(':')
  return FAIL_POINTS.some(name => name === point) && /^[1-9]\d*$/.test(count) && others.length === 0
}

/** Settings that only tests may change, and their effects. */
const TEST_SETTINGS = {
  CLOCK_OFFSET_MS: 'it changes when monthly credits are granted',
  FAIL_POINT: 'it ends the server during a request',
  NOTICES_EVERY_MS: 'it changes how often Sheaf asks the database for work',
} as const

function assertNoTestSettings(values: z.infer<typeof variables>): void {
  const defaults = variables.parse({})
  const names = Object.keys(TEST_SETTINGS) as (keyof typeof TEST_SETTINGS)[]
  const changed = names.find(name => values[name] !== defaults[name])
  if (changed === undefined || values.TEST_MODE !== undefined) return
  throw new Error(
    `Invalid environment variables. ${changed}: only allowed in tests with TEST_MODE=1. Got ${values[changed]}. ` +
      `Remove this variable, because ${TEST_SETTINGS[changed]}.`,
  )
}

/** Names of options of the mail library that would contradict SMTP_TLS. */
const TLS_OPTIONS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS']

/** A password must never be sent without encryption, so SMTP_TLS alone decides, and never against a password. */
function assertMail({ SMTP_URL, SMTP_TLS }: z.infer<typeof variables>): void {
  if (SMTP_URL === undefined) return
  const { protocol, username, password, searchParams } = new URL(SMTP_URL)
  const option = TLS_OPTIONS.find(name => searchParams.has(name))
  if (option !== undefined)
    throw new Error(`Invalid environment variables. SMTP_URL: must not contain ${option}. Set SMTP_TLS instead.`)
  if (SMTP_TLS === 'off' && (protocol === 'smtps:' || username !== '' || password !== '')) {
    throw new Error(
      'Invalid environment variables. SMTP_TLS: must be required if SMTP_URL contains a password or begins with ' +
        'smtps. Remove SMTP_TLS, or remove the password from SMTP_URL.',
    )
  }
}

/** A larger output would never fit into the share of any account. */
function assertOutputs({ MAX_OUTPUT_BYTES, OUTPUT_SPOOL_BYTES, ACCOUNT_SHARE }: z.infer<typeof variables>): void {
  const most = Math.floor(ACCOUNT_SHARE * OUTPUT_SPOOL_BYTES)
  if (MAX_OUTPUT_BYTES <= most) return
  throw new Error(
    `Invalid environment variables. MAX_OUTPUT_BYTES: must be at most ACCOUNT_SHARE × OUTPUT_SPOOL_BYTES, which is ` +
      `${most}. Got ${MAX_OUTPUT_BYTES}. Raise OUTPUT_SPOOL_BYTES, or lower MAX_OUTPUT_BYTES.`,
  )
}

/**
 * Selling requires all of these variables. Without verified events, payments would never be credited, and an invoice
 * names its seller.
 */
const WITH_STRIPE = ['STRIPE_WEBHOOK_SECRET', 'SELLER_NAME', 'SELLER_ADDRESS'] as const

function assertPurchases(values: z.infer<typeof variables>): void {
  const missing = WITH_STRIPE.filter(name => values[name] === undefined)
  if (values.STRIPE_SECRET_KEY !== undefined && missing.length > 0) {
    throw new Error(
      `Invalid environment variables. ${missing.join(', ')}: required with STRIPE_SECRET_KEY. Set ` +
        `${missing.length === 1 ? 'it' : 'them'}, or remove STRIPE_SECRET_KEY to turn off purchases.`,
    )
  }
}
