import type { Scenario } from './scenario'
import { accountProof } from './scenarios/account-proof'
import { accountSecrets } from './scenarios/account-secrets'
import { accountSession } from './scenarios/account-session'
import { accountSignIn } from './scenarios/account-sign-in'
import { clientGone } from './scenarios/client-gone'
import { clock } from './scenarios/clock'
import { database } from './scenarios/database'
import { disk } from './scenarios/disk'
import { fairAgents } from './scenarios/fair-agents'
import { fairArchives } from './scenarios/fair-archives'
import { fairFailures } from './scenarios/fair-failures'
import { fairLargeOutput } from './scenarios/fair-large-output'
import { fairQueue } from './scenarios/fair-queue'
import { fairReaders } from './scenarios/fair-readers'
import { fairStrangers } from './scenarios/fair-strangers'
import { fairUploads } from './scenarios/fair-uploads'
import { filesHostile, filesMutants } from './scenarios/files'
import { idempotency } from './scenarios/idempotency'
import { ledgerBrowser } from './scenarios/ledger-browser'
import { ledgerEngine } from './scenarios/ledger-engine'
import { ledgerServer } from './scenarios/ledger-server'
import { ledgerSigterm } from './scenarios/ledger-sigterm'
import { heldLoad } from './scenarios/load'
import { names } from './scenarios/names'
import { neighbor } from './scenarios/neighbor'
import { pageMemory } from './scenarios/page-memory'
import { purchases } from './scenarios/purchases'
import { purchasesDeleted } from './scenarios/purchases-deleted'
import { purchasesTopUp } from './scenarios/purchases-top-up'
import { raw } from './scenarios/raw'
import { rotation } from './scenarios/rotation'
import { slow } from './scenarios/slow'
import { webAddresses } from './scenarios/web-addresses'
import { webPages } from './scenarios/web-pages'

/** The scenarios in running order. The first one waits longest, so the short run has others run beside it. */
export const SCENARIOS: Scenario[] = [
  purchasesTopUp,
  ...[ledgerServer, ledgerEngine, ledgerBrowser, ledgerSigterm, rotation, idempotency, clientGone, clock],
  ...[purchases, purchasesDeleted, database, disk],
  ...[filesHostile, ...filesMutants, names, raw, slow, heldLoad, neighbor],
  ...[fairUploads, fairQueue, fairReaders, fairLargeOutput, fairFailures, fairStrangers, fairAgents, fairArchives],
  ...[webAddresses, webPages, pageMemory],
  ...[accountSignIn, accountSession, accountSecrets, accountProof],
]
