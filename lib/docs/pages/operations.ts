import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { heading, list, prose, type Block, type DocsPage, type TableRow } from './page'

/** For those who run a server: how it is set, kept, changed, and made larger. */
export function describeOperations(): DocsPage {
  return {
    slug: 'operations',
    title: 'Operations',
    lead:
      'For those who run a server of their own: how it is set, kept, changed and made larger, and what to do when it ' +
      'is slow.',
    blocks: [
      ...describeInstances(),
      ...describeBackups(),
      ...describeSecrets(),
      ...describeUpgrades(),
      ...describeDeletedAccounts(),
      ...describeBottlenecks(),
      ...describeConnections(),
      ...describeSizes(),
      ...describePlan(),
      heading('Configuration'),
      prose(
        'Environment variables, read once at the start; a wrong one ends the start with a message that names it. ' +
          'An empty variable counts as unset.',
      ),
      { kind: 'table', columns: ['Variable', 'Default', 'Meaning'], rows: readVariables() },
    ],
  }
}

const code = (text: string, what: string): Block => ({ kind: 'code', language: 'sh', text, what })

/** Rows of the README's table of variables, which is checked against lib/config.ts. */
function readVariables(): TableRow[] {
  const readme = readFileSync(join(process.cwd(), 'README.md'), 'utf8')
  return [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| ([^|\n]+) \| ([^|\n]+) \|$/gm)].map(
    ([, name = '', value = '', meaning = '']) => ({ id: name, cells: [`\`${name}\``, value, meaning] }),
  )
}

function describeInstances(): Block[] {
  return [
    heading('Instances'),
    prose(
      'With a Postgres server any number of instances share one `DATABASE_URL` and one `NEXTAUTH_SECRET`, behind ' +
        'any balancer. Files for an image, compose, Kubernetes and nginx are in the folder `deploy`.',
    ),
    {
      kind: 'table',
      columns: ['What', 'Where it is kept', 'What that means'],
      rows: [
        { cells: ['Balances, charges and refunds', 'Database', 'Exact on all instances together.'] },
        {
          cells: [
            'API keys',
            'Database, asked by every call',
            'A rotated key is refused by all from the answer on; nothing is cached.',
          ],
        },
        { cells: ['Idempotency keys', 'Database', 'A call may be repeated at any instance.'] },
        { cells: ['Sign-in limits and sessions', 'Database', 'Guesses are counted together, wherever they arrive.'] },
        {
          cells: [
            'Leases of running calls',
            'Database, its clock; each start of a process has an id of its own',
            'What a killed instance had charged is refunded by the others after 30 to 40 s; so are the files that ' +
              'an instance hands out after it alone has lost the database, where that lasts so long: they were free, ' +
              'and none is charged twice. Clocks of instances may differ, but for the month of a grant.',
          ],
        },
        {
          cells: [
            '`KEY_CONCURRENCY`, fair turns',
            'Each instance',
            'An account may run that many calls on every instance: n instances allow n times as many. Turns are ' +
              'fair among those who wait at the same instance; a balancer that spreads evenly makes that about the ' +
              'same: beside a flood of 64 calls at once through nginx to three instances, another key waited 52 to ' +
              '67 ms in place of 15 to 20.',
          ],
        },
        {
          cells: [
            '`KEY_RPS`',
            'Each instance',
            'Divide what an account may do by the number of instances; with retries against one instance the limit ' +
              'is met sooner.',
          ],
        },
        {
          cells: [
            '`MAX_WAITING`, `BODY_MEMORY_BYTES`, `OUTPUT_MEMORY_BYTES`',
            'Each instance',
            'They guard the memory of one process.',
          ],
        },
        {
          cells: [
            '`ACCOUNT_SHARE`, `ACCOUNT_WAITING`, `FAILED_WORK_MS`',
            'Each instance',
            'An account has its share of every instance.',
          ],
        },
        {
          cells: [
            'The call log',
            'Memory for half a second, then the database',
            'A killed instance loses half a second of it. Credits are not in it.',
          ],
        },
      ],
    },
    list(
      'Liveness is `/api/health`: 200 as long as the process serves, also without its database. Readiness is ' +
        '`/api/ready`: 503 while it starts, ends, or has no database. Never restart an instance because it is not ' +
        'ready.',
      'SIGTERM turns readiness to 503 at once. Calls are taken for `DRAIN_DELAY_MS` more, and what is under way ' +
        'then has 25 s. Set it to more than your balancer needs to notice, and give a stopped process that time and ' +
        '35 s.',
      'A kill -9 costs the calls under way on that instance, and nobody a credit. Clients repeat them with an ' +
        '[`Idempotency-Key`](/docs/retries#idempotency-key).',
    ),
  ]
}

function describeBackups(): Block[] {
  return [
    heading('Backup and restore'),
    prose(
      'Everything that lasts is in the database: accounts, keys as hashes, the ledger, the log of calls. No ' +
        'document is. A dump is consistent and may be made while instances serve:',
    ),
    code('pg_dump --format=custom --no-owner --file=sheaf.dump "$DATABASE_URL"', 'the backup'),
    prose('Into an empty database, with no instance on it:'),
    code(
      'createdb --maintenance-db="$ADMIN_URL" --owner=sheaf_owner sheaf_restored\npg_restore --no-owner ' +
        '--exit-on-error --single-transaction --dbname="$RESTORED_URL" sheaf.dump',
      'the restore',
    ),
    prose('Every balance has to be the sum of its ledger; this prints 0:'),
    code(
      'psql -At "$RESTORED_URL" -c "select count(*) from users u where balance <> (select coalesce(sum(delta), 0) ' +
        'from ledger_entries e where e.account_id = u.id)"',
      'the check',
    ),
    list(
      'Then start the instances with the restored address. Calls that were open in the dump are refunded within a ' +
        'minute; calls that were made after it are free, because nobody remembers them.',
      'A dump loses what came after it. For less than that archive the WAL (`archive_mode`, `pg_basebackup`) or ' +
        'run a standby; both are of Postgres and need nothing of the service.',
      'The embedded database: stop the server, copy the folder of `DATA_DIR`, start it again. It holds the secret ' +
        'of the sessions too.',
    ),
  ]
}

function describeSecrets(): Block[] {
  return [
    heading('Rotating secrets'),
    prose(
      '**Sessions.** `NEXTAUTH_SECRET` encrypts the cookies of the account area. Make another one, give it to all ' +
        'instances, and restart them one after another. Everybody has to sign in again; API keys go on working.',
    ),
    code('openssl rand -hex 32', 'a new secret'),
    prose(
      '**Database.** Let a role that cannot log in own the tables, and log in by one of two others. The one that ' +
        'is not used gets a new password; then instances are restarted with its address, one after another, and no ' +
        'call notices. Once, before the first start:',
    ),
    code(
      'psql "$ADMIN_URL" -c "create role sheaf_owner nologin" -c "create database sheaf owner sheaf_owner"',
      'the owner',
    ),
    prose('For each of the two, here `sheaf_b`:'),
    code(
      'psql "$ADMIN_URL" -c "create role sheaf_b login in role sheaf_owner" -c "alter role sheaf_b set role ' +
        'sheaf_owner" -c "\\password sheaf_b"',
      'a role to log in',
    ),
    prose('When all instances use it, shut the other one: `alter role sheaf_a nologin`.'),
    prose(
      '**Mail, GitHub, Google.** Make the new credential beside the old one at their side, change `SMTP_URL`, ' +
        '`GITHUB_SECRET` or `GOOGLE_SECRET`, restart one after another, remove the old one. Only mails and sign-ins ' +
        'depend on them.',
    ),
    prose(
      "**API keys** are of their accounts. For an account that can't do it itself: `npm run --silent account -- " +
        'you@example.com --rotate`.',
    ),
  ]
}

function describeDeletedAccounts(): Block[] {
  return [
    heading('Deleted accounts'),
    list(
      "The ledger of a deleted account stays under its id. The account's row keeps nothing that names a person.",
      'Invoices stay in `archived_invoices`, because the law requires sellers to keep them: number, day, amount ' +
        "and the buyer's billing details. No id leads from an invoice to a purchase, an account or its ledger.",
      'Purchases keep their amounts and the ids of their payments at Stripe, so that a later refund or dispute is ' +
        'booked. Stripe keeps its own records of payments.',
      'The customer at Stripe is deleted with its saved cards within seconds. If Stripe is away, the service asks ' +
        'again until that is done. `stripe_tasks` lists what is still to do.',
      'A checkout that is paid after its account was deleted is never credited. The service refunds it, logs an ' +
        'error, and `npm run reconcile` reports it.',
    ),
  ]
}

function describeUpgrades(): Block[] {
  return [
    heading('Upgrading and rolling back'),
    list(
      'Make a backup. Read the [changelog](/docs/changelog).',
      'Replace instances one after another: start a new one, wait for `/api/ready`, send SIGTERM to an old one. ' +
        'The first new one migrates the tables, others wait for it; instances of the version before go on serving on ' +
        'the new tables.',
      'To go back, start the earlier version in the same way. It leaves newer tables as they are. Only where the ' +
        "changelog says that a migration can't be undone is the way back the backup.",
      'The migration `0007_accounts` adds a table, a column and two indexes, and removes stored tokens of GitHub and ' +
        'Google, which nothing used. The version before works with it and needs no restore. While instances of both ' +
        ('versions run, those of the version before count sign-ins by single IPv6 addresses, and a confirmed ' +
          'address ends ') +
        'a key there without a page before it.',
      'The migration `0008_fair_shares` adds a column and an index. The version before works with it, and replays ' +
        'a key ' +
        'without limit.',
      'Without Postgres: stop the server, copy `DATA_DIR`, start the new version.',
      'Going back over `0006_money` loses no data. Before you do, wait until `select count(*) from stripe_tasks` ' +
        "is 0: the version before doesn't refund payments of deleted accounts and doesn't delete their customers at " +
        'Stripe. Accounts that were deleted before this migration left no note of their customers. Delete those at ' +
        'Stripe by hand.',
    ),
    code(
      'kubectl --namespace sheaf set image deployment/sheaf sheaf=sheaf:0.2.0\nkubectl --namespace sheaf rollout ' +
        'status deployment/sheaf\nkubectl --namespace sheaf rollout undo deployment/sheaf',
      'with Kubernetes',
    ),
  ]
}

function describeBottlenecks(): Block[] {
  return [
    heading('When it is slow'),
    prose(
      '`Server-Timing` of every answer says where a call was: `wait` is the queue, `charge` and `auth` the ' +
        'database, the rest the work. With `METRICS_PORT` the same is told of all calls together.',
    ),
    {
      kind: 'table',
      columns: ['Bottleneck', 'Symptom', 'Metric', 'Remedy'],
      rows: [
        {
          cells: [
            'Queue',
            '503 `service_unavailable` with `Retry-After`; `wait` is most of the time',
            '`sheaf_calls_waiting` over 0 for minutes, `sheaf_engine_jobs_running` at `sheaf_engine_slots`',
            'More instances. `ENGINES` up to the cores of the machine, not beyond. One account alone that waits ' +
              'has reached `KEY_CONCURRENCY`.',
          ],
        },
        {
          cells: [
            'Database',
            '`auth` and `charge` grow for all tools alike; readiness says `database`',
            '`sheaf_database_statement_duration_seconds`, `sheaf_database_connections_waiting`, ' +
              '`sheaf_database_away_errors_total`',
            'Look for locks and slow disks at the server (`pg_stat_activity`, `pg_stat_statements`). Connections ' +
              'that wait: more instances, for each brings 10. A server that is full: a larger one.',
          ],
        },
        {
          cells: [
            'Browser',
            'Only web pages are late or get 503',
            '`sheaf_browser_up` 0, `sheaf_browser_pages_running` at `WEB_PAGES`',
            'More browsers, or `WEB_PAGES` up if there is memory for more pages: a page takes 200 MB and more, and ' +
              '`WEB_PAGE_RSS_MB` at most. The log says why a browser does not start, and which pages were ended for ' +
              'their memory.',
          ],
        },
        {
          cells: [
            'Disk',
            'The database refuses to write; the browser does not start',
            '`sheaf_disk_free_bytes`',
            'The service writes no documents: it is the database or `/tmp`. Fewer `CALL_LOG_DAYS`; space for the ' +
              'server.',
          ],
        },
        {
          cells: [
            'Memory',
            'Calls end with `pdf_tool_processing_failed` and the log names a killed engine; the system kills the ' +
              'process',
            '`sheaf_engine_kills_total`, `sheaf_body_memory_bytes` at its limit, `process_resident_memory_bytes`, ' +
              '`sheaf_engine_resident_bytes`, `sheaf_browser_resident_bytes`',
            'Memory for `ENGINES` + 1 processes of `ENGINE_RSS_MB`, `WEB_PAGES` + 1 pages of `WEB_PAGE_RSS_MB`, ' +
              '`BODY_MEMORY_BYTES` and `OUTPUT_MEMORY_BYTES`, or fewer `ENGINES` and `WEB_PAGES`. Bodies at their ' +
              'limit make requests wait up to `SLOT_TIMEOUT_MS`.',
          ],
        },
      ],
    },
  ]
}

function describeConnections(): Block[] {
  return [
    heading('Connections to the database'),
    list(
      'An instance opens up to 10 connections and closes them after a minute without use. While it starts it has ' +
        'one more, and so has the account command.',
      '`max_connections` of the server: 10 for each instance, 10 more for each that is started while an old one ' +
        'ends, and some for people. 20 instances: 250.',
      'Statements end after 4.5 s, transactions too; who waits that long for a connection gets 503.',
    ),
    prose(
      'Behind PgBouncer in transaction mode, set `DATABASE_POOLING=transaction`: statements are then not prepared ' +
        'and no settings are sent, so that few connections of the server serve many instances. The limits of time ' +
        "then belong to the role: `alter role sheaf set statement_timeout = '4500ms'` and `alter role sheaf set " +
        "idle_in_transaction_session_timeout = '9s'`. In session mode it saves the making of connections but not " +
        'their number, and has to be told:',
    ),
    {
      kind: 'code',
      language: 'ini',
      text:
        'pool_mode = session\ndefault_pool_size = 250\nignore_startup_parameters = ' +
        'extra_float_digits,statement_timeout,idle_in_transaction_session_timeout,lock_timeout',
      what: 'pgbouncer.ini',
    },
    prose(
      'It then no longer sends the limits of time, so set them for the role: `alter role sheaf_b set ' +
        "statement_timeout = '4500ms'`.",
    ),
  ]
}

function describeSizes(): Block[] {
  return [
    heading('Sizes'),
    prose(
      'Unit costs on two cores, from `npm run bench` and `npm run fleet`; measure with your own documents before ' +
        'you buy. A core is one busy processor; an engine process takes 140 to 215 MB and is bounded by ' +
        '`ENGINE_RSS_MB`.',
    ),
    {
      kind: 'table',
      columns: ['Work', 'Cost of a call', 'Calls a second and core'],
      rows: [
        {
          cells: [
            'A file of 50 KB, turned',
            '2.5 ms from the first byte to the last, 0.4 ms of it in the engine',
            'up to 400',
          ],
        },
        { cells: ['12 MB and 200 pages: rotate, reverse, metadata', '55 ms of an engine', '18'] },
        { cells: ['The same: page numbers, header and footer, annotations, flatten', '69 to 76 ms', '13'] },
        { cells: ['The same: extract, delete, merge', '81 to 127 ms', '8 to 12'] },
        { cells: ['The same: split', '182 ms', '5'] },
        {
          cells: [
            'In the database, any call',
            '0.8 ms and 3.5 statements, without fsync',
            'about 1,000 on a core of the server',
          ],
        },
      ],
    },
    {
      kind: 'table',
      columns: ['For', 'Instances', 'Postgres'],
      rows: [
        { cells: ['Trying, one team', '1 of 2 cores and 4 GB, embedded database', 'none'] },
        { cells: ['100 small calls a second, or 15 medium ones', '2 of 2 cores and 6 GB', '1 core, 2 GB'] },
        {
          cells: [
            '1,000 small calls a second, or 150 medium ones',
            '8 of 4 cores and 8 GB',
            '4 cores, 8 GB, an SSD of its own for the WAL',
          ],
        },
      ],
    },
    prose(
      'Two instances do at least 0.9 of twice the calls of one for the same processor time each, so sizes may be ' +
        'multiplied until the database is full.',
    ),
  ]
}

function describePlan(): Block[] {
  return [
    heading('A plan for 10,000 calls a second'),
    prose(
      'On paper, from the costs above; nobody has run it. Small calls alone take 25 cores of the service, medium ' +
        'ones 700 and more: 90 instances of 8 cores. At 50 KB a call it is 4 Gbit/s each way, shared by several ' +
        'balancers. Instances share nothing, so they are only many. What ends first is the database:',
    ),
    {
      kind: 'list',
      isOrdered: true,
      items: [
        '**Commits of one primary.** Three and a half statements a call are 35,000 a second, most with a commit of ' +
          'their own, and 8 cores of work. A disk that syncs in 0.5 ms, with commits in groups, carries perhaps a ' +
          'third of it. What replaces it: accounts are divided by a hash of their id over several Postgres servers; ' +
          'no statement touches two accounts, so eight servers do about eight times as much. A directory maps the ' +
          'hash of a key to its server.',
        '**The row of one balance.** Every charge of an account locks its row until the commit, so one account ' +
          'gets some 1,000 calls a second whatever is bought. What replaces it: an instance reserves credits in ' +
          'blocks, of 100 for instance, as one entry of the ledger with a lease, charges from the block in memory, ' +
          'and gives the rest back.',
        '**What is written down.** 10,000 calls a second are 864 million rows of the ledger a day, and as many of ' +
          'the log. What replaces it: partitions by day that are dropped as a whole, entries carried forward within ' +
          'hours, and a log that goes to files or a column store.',
      ],
    },
    prose(
      'Connections come before all that: 90 instances with 10 each are 900. With the accounts divided each ' +
        'instance needs 2 or 3 to each server.',
    ),
  ]
}
