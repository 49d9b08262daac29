/** Tables of which the audit log tells nothing, by the reason; a table that stands neither here nor under a trigger fails. */
export const unaudited: Record<string, readonly string[]> = {
  'work, which has a ledger of its own': [
    'project project_event project_cut project_comment post post_comment post_event post_file post_figures note note_event note_asset',
    'edit edit_author edit_clip render render_ahead asset step_figure quota_use extra_project free_video goal goal_day support_thread support_message',
  ].flatMap((line) => line.split(' ')),
  'what people write, film and send in': 'script script_library script_category clip look glossary asset_face'.split(
    ' ',
  ),
  'what somebody agreed to, which nobody takes back': ['consent'],
  'money, as the provider says it, and given back with a reason and a name':
    'charge refund customer subscription_period payment_event payment_round sandbox_object sandbox_event'.split(' '),
  'what somebody chose for themselves alone': [
    'notification_choice notification_quiet calendar_link connection connection_walk post_slots push_device data_export saved_view',
  ].flatMap((line) => line.split(' ')),
  'sessions, codes and tries, which say nothing of what somebody may do': [
    'session_family refresh_token one_time_token sign_in_try provider_walk',
  ].flatMap((line) => line.split(' ')),
  'what people were told': 'mail notification notification_waiting push push_delivery trigger_run news'.split(' '),
  'what programs were told': 'webhook_event webhook_delivery webhook_attempt'.split(' '),
  'keys that the service makes for itself': 'service_secret signing_key push_key'.split(' '),
  'what the service remembers of itself': [
    'seeded schema_migration stored_file stored_piece stored_part answered_request tracked_event removal web_piece limit_count',
  ].flatMap((line) => line.split(' ')),
  'the log itself': 'audit_entry audit_value audit_seal audit_waiting'.split(' '),
  'follows from who was moved, disabled or given another role, which stands in the log': ['membership'],
}

/** Columns of audited tables that leave no entry, by the reason. */
export const unauditedColumns: Record<string, readonly string[]> = {
  'never changes': [
    'person.id person.is_company person.customer_id person.created_at password.person_id totp.person_id totp.created_at passkey.id passkey.person_id',
    'recovery_code.person_id recovery_code.hash',
    'passkey.created_at connected_account.issuer connected_account.connected_at api_key.id api_key.person_id api_key.tenant_id',
    'api_key.prefix api_key.secret_hash api_key.security_stamp api_key.made_in api_key.created_at invitation.id invitation.mailbox invitation.invited_by',
    'invitation.created_at tenant.id tenant.created_at product.id plan.id coupon.id subscription.id subscription.start_date',
    'feedback_criteria.single notification_trigger.id notification_trigger.created_at webhook_endpoint.id webhook_endpoint.tenant_id',
    'webhook_endpoint.created_at',
    'editor_rate.id editor_rate.person_id editor_rate.tenant_id',
    'settled_job.id settled_job.first_id settled_job.settled_at',
    'connection_officer.connection_id connection_officer.user_id connection_officer.tenant_id connection_officer.allowed_at',
  ].flatMap((line) => line.split(' ')),
  'follows from what is kept': [
    'editor_rate.set_by editor_rate.set_at',
    'person.modified_at person.security_stamp person.email_since password.changed_at invitation.token_hash invitation.mail_id',
    'invitation.ends_at invitation.mailed_at feedback_criteria.revision feedback_criteria.modified_at',
    'notification_trigger.next_execution notification_trigger.modified_at webhook_endpoint.former_secret webhook_endpoint.former_until',
    'webhook_endpoint.modified_at',
  ].flatMap((line) => line.split(' ')),
  'changes while it is used': [
    'person.fcm_token person.fcm_family_id person.experience_id totp.last_step passkey.counter passkey.last_used_at passkey.transports api_key.last_used_at',
    'subscription.current_period_start subscription.current_period_end subscription.covered_since subscription.period_since subscription.owed_since subscription.is_taken_back',
    'subscription.changing_until',
    'subscription.before_change subscription.changing_by subscription.credited_by subscription.credited_ahead subscription.credit webhook_endpoint.failing_since webhook_endpoint.resting_until',
    'webhook_endpoint.last_delivered_at coupon.uses',
  ].flatMap((line) => line.split(' ')),
  'the provider’s own marks': [
    'product.reading product.changing_until product.changing_by subscription.reading subscription.provider_id subscription.item_id subscription.payment_method_id',
    'subscription.card_brand subscription.card_last4 subscription.coupon_ids',
  ].flatMap((line) => line.split(' ')),
}
