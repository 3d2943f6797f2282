/** A subscription as the payment processor describes it. `null` where it doesn't say. */
export type Subscription = {
  id: string
  customerId: string
  status: string
  /** What is paid for, each with the end of its current period. */
  items: { priceId: string; periodEnd: Date | null }[]
  createdAt: Date
  /** When it is to end. Null if that isn't decided, or if only `endsWithPeriod` says so. */
  cancelAt: Date | null
  endsWithPeriod: boolean
}

/** What a price costs: `amount` in whole units of the currency (`9.00`), every `intervalCount` days, weeks, months or years. */
export type Price = {
  amount: string
  /** Three capital letters (ISO 4217). */
  currency: string
  interval: 'day' | 'week' | 'month' | 'year'
  intervalCount: number
}

/** A page where a subscription can be paid for, and its URL. */
type Checkout = { id: string; url: string }

/** Something that happened at the processor. `object` is as it was then and may be out of date. */
export type PaymentEvent = { id: string; type: string; object: Record<string, unknown> }

/** Every call that creates something has an idempotency `key`. Called twice, it acts once. */
type Once = { key: string }

/**
 * The payment processor. Every call throws PaymentsFailure if it gets no answer in time, a refusal, or an answer of the wrong
 * form.
 */
export type PaymentsPort = Readonly<{
  /** Creates an account's customer. Returns its id. */
  createCustomer: (customer: Once & { userId: string; email: string }) => Promise<string>
  /** Opens a page where a customer pays for a subscription. */
  createCheckout: (
    checkout: Once & { customerId: string; userId: string; priceId: string; successUrl: string; cancelUrl: string },
  ) => Promise<Checkout>
  /** Closes a customer's older checkout pages that could still be paid. */
  closeEarlierCheckouts: (customerId: string, id: string) => Promise<void>
  /** Sets a customer's address. A missing customer is fine. */
  changeAddress: (customerId: string, email: string) => Promise<void>
  /** Opens a page where a customer changes or cancels a subscription. Returns its URL. */
  createPortal: (portal: Once & { customerId: string; returnUrl: string }) => Promise<string>
  /** A subscription as it is now. */
  findSubscription: (id: string) => Promise<Subscription | undefined>
  /** A customer's subscriptions that haven't ended, newest first. */
  listSubscriptions: (customerId: string) => Promise<Subscription[]>
  /** Cancels a subscription at once. One that has ended, or is missing, is fine. */
  endSubscription: (id: string) => Promise<void>
  /** Deletes a customer, so that no page that is still open can charge them. A missing one is fine. */
  removeCustomer: (customerId: string) => Promise<void>
  /** What a price costs. Undefined if it is missing, archived, not recurring, or not a fixed amount. */
  findPrice: (id: string) => Promise<Price | undefined>
  /** Checks the signature of an event, by the machine's own clock, and reads it. Throws BadEvent. */
  readEvent: (body: Uint8Array, signature: string | null) => Promise<PaymentEvent>
  /** Whether the processor answered recently. If that was long ago, asks it in the background. */
  pulse: () => Promise<'ok' | 'failed'>
  /** Checks that the configured prices exist. Throws a sentence for an operator if one doesn't. */
  examine: () => Promise<void>
}>

/** The processor didn't do what we asked. The message contains nothing private. */
export class PaymentsFailure extends Error {
  constructor(
    readonly call: string,
    readonly reason: string,
    /** The parameter, in the processor's terms, that named something missing. */
    readonly missing?: string,
    /** `refused` is final. `unknown`: the call may have been received. `busy`: another call with this key is in progress. */
    readonly outcome: 'refused' | 'unknown' | 'busy' = 'unknown',
  ) {
    super(`${call}: ${reason}`)
  }
}

/** Not an event from the processor: not signed by it, too old, or unreadable. */
export class BadEvent extends Error {}
