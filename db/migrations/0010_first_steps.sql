CREATE TABLE "first_steps" (
	"account_id" text NOT NULL,
	"step" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "first_steps_account_id_step_pk" PRIMARY KEY("account_id","step"),
	CONSTRAINT "first_steps_step" CHECK ("first_steps"."step" in ('idempotency', 'recovery', 'dismissed'))
);
