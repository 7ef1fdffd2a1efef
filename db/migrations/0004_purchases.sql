-- In the order in which calls take them, so that neither waits for the other for ever.
LOCK TABLE "users", "ledger_entries" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"purchase_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"is_withdrawn" boolean NOT NULL,
	"is_reinstated" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"account_id" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"currency" text DEFAULT 'usd' NOT NULL,
	"amount_cents" integer NOT NULL,
	"credits" integer NOT NULL,
	"session_id" text,
	"payment_intent_id" text,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"refund_booked_cents" integer DEFAULT 0 NOT NULL,
	"dispute_booked_cents" integer DEFAULT 0 NOT NULL,
	"bookings" integer DEFAULT 0 NOT NULL,
	"receipt_number" integer,
	"billing" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "purchases_state" CHECK ("purchases"."state" in ('open', 'pending', 'paid', 'failed', 'expired')),
	CONSTRAINT "purchases_amounts" CHECK ("purchases"."amount_cents" > 0 and "purchases"."credits" > 0 and "purchases"."refunded_cents" >= 0 and "purchases"."refund_booked_cents" + "purchases"."dispute_booked_cents" between 0 and "purchases"."amount_cents"),
	CONSTRAINT "purchases_paid" CHECK (("purchases"."state" = 'paid') = ("purchases"."paid_at" is not null and "purchases"."receipt_number" is not null and "purchases"."payment_intent_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "receipt_counter" (
	"id" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "receipt_counter_one" CHECK ("receipt_counter"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "stripe_events" (
	"id" text PRIMARY KEY NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_kind";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "owed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "debt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "stripe_customer_id" text;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_session" ON "purchases" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_payment" ON "purchases" USING btree ("payment_intent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_receipt" ON "purchases" USING btree ("receipt_number");--> statement-breakpoint
CREATE INDEX "purchases_account" ON "purchases" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "stripe_events_received" ON "stripe_events" USING btree ("received_at");--> statement-breakpoint
-- NOT VALID: rows that are there met the narrower constraint, and reading all of them would stop calls meanwhile.
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_owed" CHECK ("ledger_entries"."owed" = 0 or "ledger_entries"."kind" = 'carry_forward' or ("ledger_entries"."reference" is not null and sign("ledger_entries"."owed") in (0, -sign("ledger_entries"."delta" - "ledger_entries"."owed")) and sign("ledger_entries"."delta") in (0, sign("ledger_entries"."delta" - "ledger_entries"."owed")))) NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_kind" CHECK (case "ledger_entries"."kind"
        when 'grant' then "ledger_entries"."delta" > 0 and "ledger_entries"."month" is not null
        when 'charge' then "ledger_entries"."delta" < 0 and "ledger_entries"."call_id" is not null
        when 'refund' then "ledger_entries"."delta" > 0 and "ledger_entries"."call_id" is not null
        when 'adjustment' then "ledger_entries"."note" is not null
        when 'purchase' then "ledger_entries"."delta" - "ledger_entries"."owed" > 0 and "ledger_entries"."reference" is not null
        when 'purchase_refund' then "ledger_entries"."delta" - "ledger_entries"."owed" < 0 and "ledger_entries"."reference" is not null
        when 'dispute' then "ledger_entries"."delta" - "ledger_entries"."owed" < 0 and "ledger_entries"."reference" is not null
        when 'dispute_reversal' then "ledger_entries"."delta" - "ledger_entries"."owed" > 0 and "ledger_entries"."reference" is not null
        when 'carry_forward' then "ledger_entries"."delta" = "ledger_entries"."balance" and "ledger_entries"."booked" is not null
        else false end) NOT VALID;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_debt_not_negative" CHECK ("users"."debt" >= 0);