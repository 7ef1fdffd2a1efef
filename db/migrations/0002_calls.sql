CREATE TABLE "calls" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"day" date NOT NULL,
	"operation" text NOT NULL,
	"via" text NOT NULL,
	"status" integer NOT NULL,
	"error" text,
	"param" text,
	"ms" integer NOT NULL,
	"engine_ms" integer,
	"bytes_in" bigint NOT NULL,
	"bytes_out" bigint NOT NULL,
	"credits" integer NOT NULL,
	"replayed" boolean NOT NULL,
	"delivered" boolean NOT NULL,
	"browser_origin" boolean NOT NULL,
	"key_last4" text,
	"address" text,
	"agent" text,
	CONSTRAINT "calls_via" CHECK ("calls"."via" in ('api', 'playground'))
);
--> statement-breakpoint
CREATE TABLE "spent_grants" (
	"month" text NOT NULL,
	"address_hash" text NOT NULL,
	CONSTRAINT "spent_grants_month_address_hash_pk" PRIMARY KEY("month","address_hash")
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"account_id" text NOT NULL,
	"day" date NOT NULL,
	"operation" text NOT NULL,
	"outcome" text NOT NULL,
	"calls" integer NOT NULL,
	"credits" integer NOT NULL,
	"ms" bigint NOT NULL,
	CONSTRAINT "usage_days_account_id_day_operation_outcome_pk" PRIMARY KEY("account_id","day","operation","outcome"),
	CONSTRAINT "usage_days_outcome" CHECK ("usage_days"."outcome" in ('ok', 'refused', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "first_refused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_refused_address" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_refused_agent" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_operation" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_status" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_address" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_agent" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "low_balance_at" integer DEFAULT 20 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "calls_account" ON "calls" USING btree ("account_id","at","id");--> statement-breakpoint
CREATE INDEX "calls_failed" ON "calls" USING btree ("account_id","at","id") WHERE "calls"."status" >= 400;--> statement-breakpoint
CREATE INDEX "calls_day" ON "calls" USING btree ("day");--> statement-breakpoint
CREATE INDEX "usage_days_day" ON "usage_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "ledger_entries_booked" ON "ledger_entries" USING btree ("account_id") WHERE "ledger_entries"."kind" in ('purchase', 'adjustment');--> statement-breakpoint
CREATE INDEX "users_deleted" ON "users" USING btree ("deleted_at") WHERE "users"."deleted_at" is not null;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_low_balance_not_negative" CHECK ("users"."low_balance_at" >= 0);