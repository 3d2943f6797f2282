import type { Config } from '../config.ts'

/** What Stripe wants beside its key. */
export const missingForStripe = ({ stripe }: Config): string[] =>
  Object.entries({
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_PRICE_STARTER: stripe.priceStarter,
    STRIPE_PRICE_PRO: stripe.pricePro,
  }).flatMap(([name, value]) => (value ? [] : [name]))

/** The settings without which others that are set are of no use. */
export const missingSettings = (config: Config): string[] => [
  ...(config.mail.resendApiKey && !config.mail.from ? ['MAIL_FROM'] : []),
  ...(config.stripe.secretKey ? missingForStripe(config) : []),
]
