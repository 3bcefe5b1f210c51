import { printTable } from './measure.ts'

/** What something costs. */
export interface Budget {
  what: string
  value: number
  /** What it may cost; nothing where it is only told. */
  held?: number
}

/** Prints what things cost beside what they may; throws when something costs more. */
export function printBudgets(title: string, budgets: Budget[]): void {
  printTable(
    title,
    budgets.map(({ what, value, held }) => ({ what, value, held: held ?? '' })),
  )
  const over = budgets.filter(({ value, held }) => held !== undefined && value > held)
  if (over.length > 0) {
    throw new Error(`Over what is held: ${over.map(({ what }) => what).join(', ')}`)
  }
}
