import type { Config } from '../config.ts'

/** What Stripe wants beside its key. */
export const missingForStripe = ({ stripe }: Config): string[] =>
  unset({
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_PRICE_STARTER: stripe.priceStarter,
    STRIPE_PRICE_PRO: stripe.pricePro,
  })

const missingForBucket = ({ accessKeyId, secretAccessKey }: NonNullable<Config['s3']>): string[] =>
  unset({ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey })

const unset = (settings: Record<string, string | undefined>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]))

/** The settings without which others that are set are of no use. */
export const missingSettings = (config: Config): string[] => [
  ...(config.mail.resendApiKey && !config.mail.from ? ['MAIL_FROM'] : []),
  ...(config.s3 ? missingForBucket(config.s3) : []),
  ...(config.stripe.secretKey ? missingForStripe(config) : []),
]
