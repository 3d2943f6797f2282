/** The kinds of jobs (src/worker.ts). Those that operators start come first. */
export const jobNames = [
  ...['catalog_import', 'card_batch', 'todo_initialization', 'bulk_export'],
  ...['send_mail', 'send_verification', 'send_password_reset', 'account_lifecycle', 'stripe_address'],
  ...[
    'stats_snapshot',
    'audit_count_fold',
    'account_sweep',
    'changes_sweep',
    'webhook_sweep',
    'kept_answer_sweep',
    'image_sweep',
    'import_sweep',
    'bulk_withdrawal',
  ],
  ...['job_sweep', 'stripe_event_sweep', 'usage_sweep'],
]
