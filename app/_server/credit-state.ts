import { cache } from 'react'
import { canVerifyAddresses } from '../../lib/accounts/sign-in/sign-in-ways'
import { describeBalance } from '../../lib/credits/balance'
import { describeOffer } from '../../lib/purchases/purchases'
import type { MoreCredits } from '../_ui/playground/request/playground-endpoint'
import { count } from './amounts'
import { dayAndMonth } from './dates'
import { signedInAccount } from './signed-in-account'

/** The balance of the signed-in account, read once per page. */
export const currentBalance = cache(async () => describeBalance((await signedInAccount()).id))

/** What an account without credits, or with few, should know. */
export interface CreditState extends MoreCredits {
  kind: 'empty' | 'low'
  title: string
}

/** Returns the state of the balance, if it is empty or low. */
export async function describeCreditState(): Promise<CreditState | undefined> {
  const { balance, isLow, lowBalanceAt } = await currentBalance()
  const help = await describeMoreCredits()
  if (balance === 0) return { kind: 'empty', title: 'You have no credits left', ...help }
  if (!isLow) return undefined
  const left = `You have ${count(balance)} ${balance === 1 ? 'credit' : 'credits'} left.`
  return {
    kind: 'low',
    title: 'Your balance is low',
    ...help,
    text: `${left} Your threshold is ${count(lowBalanceAt)}. ${help.text}`,
  }
}

/** Returns how the account gets more credits, in words and with at most one action. */
export async function describeMoreCredits(): Promise<MoreCredits> {
  const { grant } = await currentBalance()
  const { isSelling, operatorEmail } = describeOffer()
  if (!grant.isGranted && !grant.isHeldBack && canVerifyAddresses())
    return {
      text: `You get ${grant.credits} free credits when you confirm your email address.`,
      action: { label: 'Confirm email address', href: '/account/settings#address' },
    }
  const text = grant.isHeldBack
    ? `This server gave all free credits of today. You get ${grant.credits} on a later day.`
    : `You get ${grant.credits} free credits on ${dayAndMonth(grant.nextAt)}.`
  if (isSelling) return { text, action: { label: 'Buy credits', href: '/account/credits#buy' } }
  if (operatorEmail === undefined) return { text }
  return {
    text: `${text} To get more now, email the operator of this server.`,
    action: { label: `Email ${operatorEmail}`, href: `mailto:${operatorEmail}` },
  }
}
